'use strict';

const program = require('commander');

program
  .version('1.0.0')
  .option('-p, --port <number>', 'where to listen', parseInt, 8080)
  .option('--no-color', 'plain text');

program
  .command('serve <folder>')
  .option('-q, --quiet')
  .action((folder, command) => {
    if (!command.quiet) console.log(`${folder} on ${program.port}`);
  });

program
  .command('list [names...]')
  .action((names, command) => console.log(names, command.parent.color));

program.on('command:*', (words) => {
  console.error(`what is ${words[0]}?`);
  program.help();
});

program.parse(process.argv);
