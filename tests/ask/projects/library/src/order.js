'use strict';

const indexBy = require('lodash/collection/indexBy');
const sortByOrder = require('lodash/collection/sortByOrder');

/// Newest first, and by title within a year.
function newest(books) {
  return sortByOrder(books, ['year', 'title'], ['desc', 'asc']);
}

function catalog(books) {
  return indexBy(books, 'isbn');
}

module.exports = { newest, catalog };
