'use strict';

const queryString = require('query-string');
const { parseUrl, stringifyUrl } = require('query-string');

exports.filters = (search) =>
  queryString.parse(search, { arrayFormat: 'bracket', parseNumbers: true, parseBooleans: true });

exports.withPage = (address, page) => {
  const { url, query } = parseUrl(address, { parseFragmentIdentifier: true });
  return stringifyUrl({ url, query: { ...query, page } }, { skipNull: true });
};

exports.without = (address) => queryString.exclude(address, ['utm_source', 'utm_medium']);
exports.search = (words) => queryString.stringify(words, { arrayFormat: 'comma', sort: false });
