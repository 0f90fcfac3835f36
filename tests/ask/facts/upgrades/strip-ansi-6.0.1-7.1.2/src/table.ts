import stripAnsi = require('strip-ansi');

export type Cell = string | undefined;

export function columns(rows: Cell[][]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, index) => {
      const length = cell === undefined ? 0 : stripAnsi(cell).length;
      widths[index] = Math.max(widths[index] ?? 0, length);
    });
  }
  return widths;
}

export function table(rows: Cell[][]): string {
  const widths = columns(rows);
  return rows
    .map((row) => row.map((cell = '', index) => cell + ' '.repeat(widths[index] - stripAnsi(cell).length)).join('  '))
    .join('\n');
}
