'use strict';

const pluck = require('lodash/collection/pluck');
const contains = require('lodash/collection/contains');

/// The titles of some books.
function titles(books) {
  return pluck(books, 'title');
}

function has(books, title) {
  return contains(titles(books), title);
}

module.exports = { titles, has };
