'use strict';

const assert = require('node:assert');
const test = require('node:test');
const { isSheet, read } = require('../dist/read.js');
const { write } = require('../dist/write.js');

const rows = [{ currency: 'CHF', value: '0.9500' }, { currency: 'JPY', value: '007' }];
const sheet = '<rates><rate currency="CHF">0.9500</rate><rate currency="JPY">007</rate></rates>';

test('digits are kept as they are', () => assert.deepStrictEqual(read(sheet), rows));
test('one rate is a list too', () => {
  assert.deepStrictEqual(read('<rates><rate currency="CHF">1</rate></rates>'), [{ currency: 'CHF', value: '1' }]);
});
test('what is written is what was read', () => assert.strictEqual(write(rows), sheet));
test('half a sheet is none', () => {
  assert.strictEqual(isSheet('<rates><rate>'), false);
  assert.throws(() => read('<rates><rate>'), /not a sheet/);
});
