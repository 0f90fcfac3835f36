'use strict';

const { match, normalizePathname } = require('path-to-regexp');

/// What a route finds in a path, however it is spelled.
function lookup(route, path) {
  const found = match(route)(normalizePathname(path));
  return found && { ...found.params };
}

module.exports = { lookup };
