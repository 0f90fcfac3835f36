'use strict';

const assert = require('node:assert');
const test = require('node:test');
const { titles, has } = require('../src/shelf.js');
const { newest, catalog } = require('../src/order.js');

const books = [{ isbn: 'a', title: 'Salt', year: 1998 }, { isbn: 'b', title: 'Tea', year: 2004 },
  { isbn: 'c', title: 'Ink', year: 2004 }];

test('titles are in their order', () => assert.deepStrictEqual(titles(books), ['Salt', 'Tea', 'Ink']));
test('a title is there or not', () => {
  assert.strictEqual(has(books, 'Tea'), true);
  assert.strictEqual(has(books, 'Coal'), false);
});
test('the newest are first', () => assert.deepStrictEqual(titles(newest(books)), ['Ink', 'Tea', 'Salt']));
test('a catalog finds a book', () => assert.strictEqual(catalog(books).b.title, 'Tea'));
