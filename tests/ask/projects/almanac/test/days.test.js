'use strict';

const assert = require('node:assert');
const test = require('node:test');
const { day } = require('../src/days.js');

test('a day has its text as a page', () => {
  assert.deepStrictEqual(day({ date: '1 May', text: 'Sow *peas*.' }),
    { date: '1 May', html: '<p>Sow <em>peas</em>.</p>\n' });
});
