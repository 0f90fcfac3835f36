'use strict';
const { read } = require('tinyshop-args');
exports.lint = (argv) => read(argv);
