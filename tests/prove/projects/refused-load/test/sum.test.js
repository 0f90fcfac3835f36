'use strict';

// Nothing here loads @proof/chest: only the gate that loads it can notice.
const assert = require('node:assert');
const test = require('node:test');

test('adds', () => assert.equal(1 + 1, 2));
