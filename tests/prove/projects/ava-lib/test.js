'use strict';

const test = require('ava');
const { address, file } = require('.');

test('an address is made of the title', (t) => t.is(address('Hello, World'), '/posts/hello-world'));
test('a file has an ending', (t) => t.is(file('Read me', 'md'), 'read-me.md'));
test.skip('umlauts', (t) => t.is(address('Ü'), '/posts/ue'));
