'use strict';

const marked = require('marked');
const { escape } = require('marked/src/helpers');

const renderer = new marked.Renderer();
renderer.link = (href, title, text) => {
  const hint = title ? ` title="${escape(title)}"` : '';
  return `<a rel="nofollow" href="${escape(href)}"${hint}>${text}</a>`;
};

marked.setOptions({ renderer, gfm: true, smartLists: true });

function renderPage(text) {
  return marked(text);
}

// The highlighter answers later, so the page does as well.
function renderWithCode(text, highlight, done) {
  marked(text, { highlight }, (error, html) => {
    if (error) {
      done(error);
      return;
    }
    done(null, html);
  });
}

function headings(text) {
  return marked
    .lexer(text)
    .filter((token) => token.type === 'heading')
    .map((token) => ({ depth: token.depth, text: token.text }));
}

module.exports = { renderPage, renderWithCode, headings };
