'use strict';

const assert = require('node:assert');
const test = require('node:test');
const { area } = require('@proof/shape');

test('is a product', () => assert.equal(area(3, 4), 12));
