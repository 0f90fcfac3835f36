'use strict';

const parse = require('csv-parse');

/// How many records and lines a file has.
function count(text) {
  return new Promise((resolve, reject) => {
    const parser = parse(text, { max_limit_on_data_read: 100000 }, (error) => {
      if (error) return reject(error);
      return resolve({ records: parser.count, lines: parser.lines });
    });
  });
}

module.exports = { count };
