'use strict';

const { parse } = require('path-to-regexp');

/// The parameters of a route, and which of them it can do without.
function params(route) {
  const keys = parse(route).filter((token) => typeof token !== 'string');
  return keys.map((key) => ({ name: key.name, optional: key.optional, many: key.repeat }));
}

module.exports = { params };
