import contains from 'lodash/collection/contains.js';
import trunc from 'lodash/string/trunc.js';
import callback from 'lodash/utility/callback.js';
import cloneDeep from 'lodash/lang/cloneDeep.js';

export function visible(products, tags) {
  return products.filter((product) => product.published && tags.some((tag) => contains(product.tags, tag)));
}

export function teaser(product) {
  return trunc(product.description, { length: 80, separator: ' ' });
}

export function sortedBy(products, field) {
  const read = callback(field);
  return products.slice().sort((a, b) => (read(a) < read(b) ? -1 : 1));
}

export function snapshot(product) {
  return cloneDeep(product, (value) => (value instanceof Date ? value.toISOString() : undefined));
}
