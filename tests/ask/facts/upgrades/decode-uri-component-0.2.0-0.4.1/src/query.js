'use strict';

const decode = require('decode-uri-component');

// Forms send a space as a plus sign.
function parseQuery(text) {
  const result = Object.create(null);
  for (const pair of text.replace(/^\?/, '').split('&')) {
    if (pair === '') {
      continue;
    }
    const at = pair.indexOf('=');
    const name = decode(at === -1 ? pair : pair.slice(0, at));
    const value = at === -1 ? '' : decode(pair.slice(at + 1));
    result[name] = name in result ? [].concat(result[name], value) : value;
  }
  return result;
}

function searchTerms(url) {
  const query = parseQuery(url.slice(url.indexOf('?') + 1));
  return [].concat(query.q || []).join(' ').split(/\s+/).filter(Boolean);
}

module.exports = { parseQuery, searchTerms };
