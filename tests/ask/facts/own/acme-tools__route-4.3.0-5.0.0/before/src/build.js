/**
 * @param {string} pattern
 * @param {Record<string, string>} params
 * @param {Record<string, string>} [query]
 */
export function buildUrl(pattern, params, query) {
  const path = pattern.replace(/:(\w+)/g, (_, key) => encodeURIComponent(params[key]));
  const search = new URLSearchParams(query).toString();
  return search === '' ? path : path + '?' + search;
}
