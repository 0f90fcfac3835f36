'use strict';

const assert = require('node:assert');
const { address, file } = require('..');

it('an address is made of the title', () => assert.equal(address('Hello, World'), '/posts/hello-world'));
it('a file has an ending', () => assert.equal(file('Read me', 'md'), 'read-me.md'));
