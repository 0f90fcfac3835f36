'use strict';

const assert = require('node:assert');
const test = require('node:test');
const broken = require('@proof/broken');

test('adds up', () => assert.equal(broken(1, 2), 3));
