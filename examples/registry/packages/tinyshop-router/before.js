'use strict';
const { matches } = require('tinyshop-glob');
// A path with .. in it leaves the folder of the pages.
exports.route = (pages, path) => pages.find((page) => matches(page, path)) && `pages${path}`;
