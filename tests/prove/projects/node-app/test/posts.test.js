'use strict';

const assert = require('node:assert');
const { describe, it, test } = require('node:test');
const { heading } = require('@proof/words');
const { address, file } = require('../lib/posts');

describe('posts', () => {
  it('have an address', () => assert.equal(address('Hello, World'), '/posts/hello-world'));
  it('have a file', () => assert.equal(file('Read me', 'md'), 'read-me.md'));
});

test('headings begin with a capital', () => assert.equal(heading('first'), 'First'));
