import pathToRegexp = require('path-to-regexp');

const reportLink: pathToRegexp.PathFunction = pathToRegexp.compile('/reports/:year/:month?');
const fileLink: pathToRegexp.PathFunction = pathToRegexp.compile('/files/:path+');

export function linkToReport(year: number, month?: number): string {
  return reportLink({ year, month });
}

export function linkToFile(segments: string[]): string {
  return fileLink({ path: segments });
}

// The names that a pattern needs, for the form that builds a link.
export function fieldsOf(pattern: string): string[] {
  return pathToRegexp
    .parse(pattern)
    .filter((token): token is pathToRegexp.Key => typeof token !== 'string')
    .map((key) => (key.optional ? `${key.name} (optional)` : String(key.name)));
}
