'use strict';

const { counter } = require('tundra-slug');

function anchorsOf(headings) {
  const next = counter();
  return headings.map((heading) => ({ heading, anchor: '#' + next(heading) }));
}

module.exports = anchorsOf;
