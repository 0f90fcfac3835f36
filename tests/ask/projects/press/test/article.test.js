'use strict';

const assert = require('node:assert');
const test = require('node:test');
const { page, title, outline } = require('../src/article.js');

const article = { title: 'Ink and *paper*', text: '# Ink\n\nIs **dark**.\n\n## Paper\n\nIs not.\n' };

test('a page has the text as paragraphs', () => assert.match(page(article), /<p>Is <strong>dark<\/strong>\.<\/p>/));
test('a page has its title once', () => assert.match(page(article), /^<article><h1>Ink and <em>paper<\/em><\/h1>\n/));
test('a title is no paragraph', () => assert.strictEqual(title(article), 'Ink and <em>paper</em>'));
test('an outline is of headings', () => {
  assert.deepStrictEqual(outline(article), [{ depth: 1, text: 'Ink' }, { depth: 2, text: 'Paper' }]);
});
