'use strict';

const { Command } = require('commander');

exports.once = async (words, work) => {
  const command = new Command('once');
  command.arguments('<file>').option('--dry-run').action((file) => work(file, command.dryRun));
  await command.parseAsync(words);
  return command.args;
};
