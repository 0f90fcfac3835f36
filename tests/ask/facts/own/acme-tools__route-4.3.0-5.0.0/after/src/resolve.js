/**
 * @typedef {object} Resolved
 * @property {'matched' | 'unmatched' | 'malformed'} status
 * @property {string} [routeName]
 * @property {Record<string, string>} [captures]
 */

/**
 * The first route of the table that the path fits.
 *
 * @param {string} path
 * @param {import('./table.js').RouteTable} table
 * @returns {Resolved}
 */
export function resolvePath(path, table) {
  let pieces;
  try {
    pieces = path.split('/').map(decodeURIComponent);
  } catch {
    return { status: 'malformed' };
  }
  for (const { pieces: wanted, name } of table) {
    if (wanted.length !== pieces.length) continue;
    const captures = Object.create(null);
    const fits = wanted.every((piece, n) => {
      if (!piece.startsWith(':')) return piece === pieces[n];
      captures[piece.slice(1)] = pieces[n];
      return pieces[n] !== '';
    });
    if (fits) return { status: 'matched', routeName: name, captures };
  }
  return { status: 'unmatched' };
}
