/**
 * @param {string} pattern
 * @param {{params?: Record<string, string>, searchParams?: Record<string, string>}} [parts]
 * @returns {string}
 */
export function buildUrl(pattern, { params = {}, searchParams } = {}) {
  const path = pattern.replace(/:(\w+)/g, (_, key) => {
    if (!Object.hasOwn(params, key)) throw new TypeError(`no value for :${key}`);
    return encodeURIComponent(params[key]);
  });
  const search = new URLSearchParams(searchParams).toString();
  return search === '' ? path : `${path}?${search}`;
}
