'use strict';

const assert = require('node:assert');
const test = require('node:test');
const { label } = require('../src/label.js');

test('a label has the size of the box', () => assert.strictEqual(label({ size: 'xl' }), 'SIZE=XL'));
test('a label is a text', () => assert.strictEqual(typeof label({ size: 1 }), 'string'));
