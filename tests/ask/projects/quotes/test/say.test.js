'use strict';

const assert = require('node:assert');
const test = require('node:test');
const { say } = require('../src/say.js');

test('who says it is starred', () => assert.match(say('gate', 'open'), /^\*gate\*: /));
test('what is said is quoted', () => assert.match(say('gate', 'open'), /'open'$/));
