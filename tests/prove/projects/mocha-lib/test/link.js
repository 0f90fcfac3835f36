'use strict';

const assert = require('node:assert');
const { link } = require('..');

describe('link', () => {
  it('leads to the heading', () => assert.match(link('first steps'), /#first-steps/));
  it('begins with a capital', () => assert.match(link('first steps'), />First steps</));
  it('is known to lack a title', () => assert.match(link('a'), /title/));
  it.skip('has a class');
});
