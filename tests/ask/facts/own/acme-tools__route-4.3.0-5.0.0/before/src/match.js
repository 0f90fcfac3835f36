/**
 * The first route of the table that the path fits.
 *
 * @param {import('./table.js').RouteTable} table
 * @param {string} path
 * @returns {{name: string, params: Record<string, string>} | null}
 */
export function matchRoute(table, path) {
  const pieces = path.split('/');
  for (const route of table.routes) {
    if (route.pieces.length !== pieces.length) continue;
    const params = {};
    const fits = route.pieces.every((piece, n) => {
      if (!piece.startsWith(':')) return piece === pieces[n];
      params[piece.slice(1)] = decodeURIComponent(pieces[n]);
      return true;
    });
    if (fits) return { name: route.name, params };
  }
  return null;
}
