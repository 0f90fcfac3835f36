'use strict';

const slug = require('tundra-slug');
const fold = require('tundra-slug/lib/fold');

function pathOf(article) {
  return '/articles/' + slug(article.title, { separator: '-', max: 60 });
}

function sortKey(article) {
  return fold(article.title).toLowerCase();
}

function inOrder(articles) {
  return articles
    .map((article) => ({ key: sortKey(article), path: pathOf(article) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

module.exports = { pathOf, inOrder };
