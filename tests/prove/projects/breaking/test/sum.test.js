'use strict';

// Loads none of the packages: nothing but the gate of loading can tell that they no longer do.
const test = require('node:test');
const assert = require('node:assert');

test('adds', () => assert.strictEqual([1, 2].reduce((a, b) => a + b), 3));
