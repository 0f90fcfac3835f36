'use strict';

const chalk = require('chalk');

const warning = chalk.keyword('orange');
const banner = chalk.bgMagenta.white.bold;

function painter(color) {
  return color ? chalk : new chalk.Instance({ level: 0 });
}

function summary(stats, { color = true } = {}) {
  const paint = painter(color);
  const lines = [
    banner(' run '),
    chalk`{bold ${stats.name}}: {green ${stats.passed} passed}, {red ${stats.failed} failed}`,
  ];
  if (stats.skipped > 0) {
    lines.push(warning(`${stats.skipped} skipped`));
  }
  lines.push(paint.cyan(`took ${stats.seconds}s`));
  return lines.join('\n');
}

function complain(error) {
  process.stderr.write(chalk.stderr.red(error.message) + '\n');
}

function canDrawLogo() {
  return Boolean(chalk.supportsColor && chalk.supportsColor.has256);
}

module.exports = { summary, complain, canDrawLogo };
