'use strict';

const assert = require('node:assert');
const test = require('node:test');
const helper = require('@proof/helper');

test('is somebody', () => assert.equal(helper(), 'somebody'));
