import minimatch, { IMinimatch, IOptions } from 'minimatch';

const options: IOptions = { dot: true, nocomment: true };

export class RuleSet {
  private readonly matchers: IMinimatch[];

  constructor(patterns: string[]) {
    this.matchers = patterns.map((pattern) => new minimatch.Minimatch(pattern, options));
  }

  allows(file: string): boolean {
    return this.matchers.some((matcher) => matcher.match(file));
  }
}

export function expression(pattern: string): string {
  const made: RegExp = minimatch.makeRe(pattern, options);
  return made.source;
}

export function pick(files: string[], pattern: string): string[] {
  return minimatch.match(files, pattern, { ...options, nonull: true });
}
