import chalk = require('chalk');

export interface Theme {
  title: chalk.Chalk;
  muted: chalk.Chalk;
  level: chalk.Level;
}

export function makeTheme(level: chalk.Level): Theme {
  const paint: chalk.Chalk = new chalk.Instance({ level });
  return {
    title: paint.hex('#0055aa').bold,
    muted: paint.keyword('slategray'),
    level: paint.level,
  };
}

export function heading(theme: Theme, text: string): string {
  return theme.title(text) + '\n' + theme.muted('-'.repeat(text.length));
}
