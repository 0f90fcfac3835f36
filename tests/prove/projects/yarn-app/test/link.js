'use strict';

const assert = require('node:assert');
const { link } = require('..');

it('leads to the heading', () => assert.match(link('first steps'), /#first-steps/));
it('begins with a capital', () => assert.match(link('first steps'), />First steps</));
