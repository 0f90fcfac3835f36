'use strict';

const t = require('tap');
const { address, file } = require('..');

t.test('address', (t) => {
  t.equal(address('Hello, World'), '/posts/hello-world', 'is made of the title');
  t.equal(address('A&B'), '/posts/a-b', 'has no marks');
  t.end();
});
t.equal(file('Read me', 'md'), 'read-me.md', 'a file has an ending');
