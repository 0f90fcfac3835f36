'use strict';

const assert = require('node:assert');
const test = require('node:test');
const price = require('@proof/price');

test('has two digits behind the point', () => assert.equal(price(150), '1.50'));
test('has a point', () => assert.match(price(155), /^1\.55$/));
