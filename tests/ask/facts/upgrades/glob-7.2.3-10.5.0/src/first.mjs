import glob from 'glob';

const { Glob } = glob;

// The first files that a pattern finds; the walk is stopped when there are enough.
export function firstMatches(pattern, cwd, limit) {
  return new Promise((resolve, reject) => {
    const found = [];
    const walk = new Glob(pattern, { cwd, nosort: true });
    walk.on('match', (file) => {
      found.push(file);
      if (found.length === limit) {
        walk.abort();
        resolve(found);
      }
    });
    walk.on('error', reject);
    walk.on('end', () => resolve(found.slice(0, limit)));
  });
}
