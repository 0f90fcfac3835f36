'use strict';

const assert = require('node:assert');
const test = require('node:test');
const { questions } = require('../src/board.js');

test('what is optional is not asked for', () => assert.deepStrictEqual(questions('/:line/:stop?'), ['line?']));
