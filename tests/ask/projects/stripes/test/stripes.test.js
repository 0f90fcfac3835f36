'use strict';

const assert = require('node:assert');
const test = require('node:test');
const { Table } = require('../dist/Table.js');
const { Legend } = require('../dist/Legend.js');

test('every other row is dark', () => {
  assert.strictEqual(Table({ formula: '2n+1', rows: ['a', 'b'] }),
    '<table><tr class="dark"><td>a</td></tr><tr class="light"><td>b</td></tr></table>');
});
test('no rows are no stripes', () => assert.strictEqual(Table({ formula: '2n', rows: [] }), '<table></table>'));
test('a legend has step and offset', () => {
  assert.strictEqual(Legend({ formula: '3n+2' }), '<p>Every 3 rows, from row 2 on</p>');
});
