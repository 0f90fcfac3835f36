'use strict';

const assert = require('node:assert');
const test = require('node:test');
const { find } = require('../dist/find.js');
const { isPlain, places } = require('../dist/places.js');

const stock = { shelves: [{ name: 'a', left: 2 }, { name: 'b', left: 0 }] };

test('values are found', () => assert.deepStrictEqual(find(stock, '$.shelves[*].name'), ['a', 'b']));
test('places are pointers', () => assert.deepStrictEqual(places(stock, '$..left'), ['/shelves/0/left', '/shelves/1/left']));
test('a path computes nothing', () => {
  assert.throws(() => find(stock, '$.shelves[?(@.left > 0)]'));
  assert.strictEqual(isPlain(stock, '$.shelves[?(@.left > 0)]'), false);
  assert.strictEqual(isPlain(stock, '$.shelves'), true);
});
