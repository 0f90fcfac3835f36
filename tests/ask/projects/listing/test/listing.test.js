'use strict';

const assert = require('node:assert');
const test = require('node:test');
const { promisify } = require('node:util');
const { names } = require('../src/names.js');
const { offers } = require('../src/read.js');

const xml = '<list><offer><name>a</name><price>3</price></offer><offer><name>b</name></offer></list>';

test('a price may be missing', async () => {
  assert.deepStrictEqual(await offers(xml), [{ name: 'a', price: 3 }, { name: 'b', price: null }]);
});
test('one offer is a list too', async () => {
  assert.strictEqual((await offers('<list><offer><name>c</name></offer></list>')).length, 1);
});
test('names are found', async () => assert.deepStrictEqual(await promisify(names)(xml), ['offer']));
