'use strict';

const assert = require('node:assert');
const test = require('node:test');
const price = require('@proof/price');
const scale = require('@proof/scale');
const slug = require('@proof/slug');

test('a price has two digits behind the point', () => assert.equal(price(150), '1.50'));
test('a number stays between the bounds', () => assert.equal(scale(5, 0, 3), 3));
test('words are parted by dashes', () => assert.equal(slug('Two words'), 'two-words'));
