import { resolvePath } from './resolve.js';

/**
 * @deprecated Use `resolvePath`, which tells a path that fits nothing from one that is malformed.
 * @param {import('./table.js').RouteTable} table
 * @param {string} path
 */
export function matchRoute(table, path) {
  const found = resolvePath(path, table);
  return found.status === 'matched' ? { name: found.routeName, params: found.captures } : null;
}
