'use strict';

const assert = require('node:assert');
const test = require('node:test');
const caller = require('@proof/caller');

test('greets', async () => assert.equal(await caller('you'), 'hello you'));
