'use strict';
const { normal } = require('tinyshop-path');
exports.route = (pages, path) => pages.find((page) => normal(path).startsWith(page)) && `pages${normal(path)}`;
