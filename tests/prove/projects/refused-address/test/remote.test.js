'use strict';

const assert = require('node:assert');
const test = require('node:test');
const remote = require('@proof/remote');

test('has no spaces around it', () => assert.equal(remote(' a '), 'a'));
