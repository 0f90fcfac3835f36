'use strict';

const assert = require('node:assert');
const test = require('node:test');
const { params } = require('../src/params.js');
const { lookup } = require('../src/lookup.js');

test('a route names its parameters', () => {
  assert.deepStrictEqual(params('/lines/:line/stops/:stop?'), [
    { name: 'line', optional: false, many: false }, { name: 'stop', optional: true, many: false },
  ]);
});
test('one of them may come often', () => {
  assert.deepStrictEqual(params('/tags/:tag+'), [{ name: 'tag', optional: false, many: true }]);
  assert.deepStrictEqual(params('/tags/:tag*'), [{ name: 'tag', optional: true, many: true }]);
});
test('a path is found', () => assert.deepStrictEqual(lookup('/lines/:line', '/lines/7'), { line: '7' }));
test('with slashes too many', () => assert.deepStrictEqual(lookup('/lines/:line', '/lines//7'), { line: '7' }));
test('another is not', () => assert.strictEqual(lookup('/lines/:line', '/stops/7'), false));
