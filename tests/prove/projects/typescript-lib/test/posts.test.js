'use strict';

const assert = require('node:assert');
const test = require('node:test');
const { address } = require('../dist/posts.js');

test('an address has the day', () => assert.match(address({ title: 'a', day: '2026-01-01' }), /^.2026-01-01/));
test('an address has the title', () => assert.match(address({ title: 'A B', day: '1' }), /a-b$/));
