'use strict';

const assert = require('node:assert');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const test = require('node:test');
const { line } = require('..');

test('a line leads to its post', () => assert.match(line('first post'), /first-post/));
test('the page was built', () => {
  assert.equal(readFileSync(join(__dirname, '..', 'out', 'index.html'), 'utf8'), line('first post'));
});
