'use strict';

const assert = require('node:assert');
const test = require('node:test');
const { feed } = require('../src/feed.js');

test('a feed has the first paragraph without marks', () => {
  const [one] = feed([{ title: '*A*', text: 'Some **bold** words.\n\nMore.' }]);
  assert.deepStrictEqual(one, { title: 'A', summary: 'Some bold words.' });
});
test('an empty feed is empty', () => assert.deepStrictEqual(feed([]), []));
