'use strict';

const assert = require('node:assert');
const test = require('node:test');
const { balance, entries } = require('../src/entries.js');
const { count } = require('../src/count.js');

const sheet = 'day,amount;\n1,20;\n2,-5;\n';

test('amounts are numbers', () => {
  assert.deepStrictEqual(entries(sheet).map((entry) => ({ ...entry })), [{ day: 1, amount: 20 }, { day: 2, amount: -5 }]);
});
test('a balance is their sum', () => assert.strictEqual(balance(sheet), 15));
test('records are counted', async () => assert.strictEqual((await count('a,b\n1,2\n3,4\n')).records, 3));
test('lines are counted', async () => assert.ok((await count('a,b\n1,"2\n2"\n')).lines >= 3));
