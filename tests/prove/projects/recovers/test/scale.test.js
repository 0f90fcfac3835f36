'use strict';

const assert = require('node:assert');
const test = require('node:test');
const scale = require('@proof/scale');

test('stays between the bounds', () => assert.equal(scale(5, 0, 3), 3));
test('is left alone between them', () => assert.equal(scale(2, 0, 3), 2));
