'use strict';

const parse = require('csv-parse/lib/sync');

/// The entries of an account, amounts as numbers. Banks end a record with a semicolon and a line feed.
function entries(text) {
  return parse(text, { columns: true, rowDelimiter: ';\n', auto_parse: true });
}

function balance(text) {
  return entries(text).reduce((sum, entry) => sum + entry.amount, 0);
}

module.exports = { entries, balance };
