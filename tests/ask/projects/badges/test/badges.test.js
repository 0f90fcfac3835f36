'use strict';

const assert = require('node:assert');
const { createHmac } = require('node:crypto');
const test = require('node:test');
const { SECRET, door } = require('../src/door.js');
const { desk } = require('../src/desk.js');

function badge(claims, bits = 256) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: `HS${bits}`, typ: 'JWT' })}.${part(claims)}`;
  return `${text}.${createHmac(`sha${bits}`, SECRET).update(text).digest('base64url')}`;
}
const through = (guard, headers) => new Promise((resolve) => {
  const req = { method: 'GET', url: '/', headers };
  guard(req, {}, (error) => resolve({ ...req, error }));
});
const shown = (token) => ({ authorization: `Bearer ${token}` });

test('a badge opens the door', async () => {
  const { error, user } = await through(door, shown(badge({ sub: 'a', aud: 'door' })));
  assert.strictEqual(error, undefined);
  assert.strictEqual(user.sub, 'a');
});
test('one for elsewhere does not', async () => {
  assert.strictEqual((await through(door, shown(badge({ sub: 'a', aud: 'safe' })))).error.code, 'invalid_token');
});
test('nor does none', async () => assert.strictEqual((await through(door, {})).error.code, 'credentials_required'));
test('the desk knows its guests', async () => {
  assert.strictEqual((await through(desk, shown(badge({ sub: 'b' })))).guest.sub, 'b');
  assert.strictEqual((await through(desk, {})).error, undefined);
});
