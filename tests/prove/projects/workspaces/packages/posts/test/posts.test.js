'use strict';

const assert = require('node:assert');
const test = require('node:test');
const { address, file } = require('..');

test('an address is made of the title', () => assert.equal(address('Hello, World'), '/posts/hello-world'));
test('a file has an ending', () => assert.equal(file('Read me', 'md'), 'read-me.md'));
