'use strict';

const fold = require('./lib/fold');

function slug(text, options) {
  const { separator = '-', max = Infinity } = options || {};
  const words = fold(String(text)).toLowerCase().match(/[a-z0-9]+/g) || [];
  let out = '';
  for (const word of words) {
    const longer = out === '' ? word : out + separator + word;
    if (longer.length > max) break;
    out = longer;
  }
  return out;
}

function counter(options) {
  const seen = Object.create(null);
  return function next(text) {
    const base = slug(text, options);
    seen[base] = (seen[base] || 0) + 1;
    return seen[base] === 1 ? base : base + '-' + seen[base];
  };
}

module.exports = slug;
module.exports.counter = counter;
