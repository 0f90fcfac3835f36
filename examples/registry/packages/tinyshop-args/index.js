'use strict';
const { expand } = require('tinyshop-brace');
exports.read = (argv) => Object.fromEntries(argv.map((word) => [word.split('=')[0], expand(word.split('=')[1] ?? '')]));
