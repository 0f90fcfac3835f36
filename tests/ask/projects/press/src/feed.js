'use strict';

const marked = require('marked');
const { title } = require('./article.js');

function plain(html) {
  return html.replace(/<[^>]*>/g, '').trim();
}

/// What a reader's list shows of an article.
function item(article) {
  const first = article.text.split('\n\n')[0];
  const html = marked(first, { headerIds: false, mangle: false });
  return { title: plain(title(article)), summary: plain(html) };
}

function feed(articles) {
  return articles.map(item);
}

module.exports = { feed, item };
