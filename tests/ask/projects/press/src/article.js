'use strict';

const marked = require('marked');

const SETTINGS = { headerIds: false, mangle: false };

/// The text of an article as a page.
function page(article) {
  const body = marked(article.text, SETTINGS);
  return `<article><h1>${title(article)}</h1>\n${body}</article>`;
}

/// Titles may have emphasis, but no paragraphs.
function title(article) {
  return marked.parseInline(article.title, SETTINGS);
}

/// The headings of an article, with their depth.
function outline(article) {
  const tokens = marked.lexer(article.text);
  return tokens.filter((token) => token.type === 'heading').map(({ depth, text }) => ({ depth, text }));
}

module.exports = { page, title, outline };
