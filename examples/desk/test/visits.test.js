'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const { leave, welcome } = require('../src/visits');

test('two visitors have two badges', () => {
  const first = welcome('first');
  assert.equal(first.name, 'first');
  assert.notEqual(first.badge, welcome('second').badge);
});

test('a badge is given back once', () => {
  const { badge } = welcome('third');
  assert.ok(leave(badge));
  assert.ok(!leave(badge));
});
