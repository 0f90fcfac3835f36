'use strict';
const { expand } = require('tinyshop-brace');
exports.matches = (pattern, path) => expand(pattern).some((prefix) => path.startsWith(prefix));
