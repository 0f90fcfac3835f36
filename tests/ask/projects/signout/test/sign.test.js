'use strict';

const assert = require('node:assert');
const test = require('node:test');
const { enter } = require('../src/sign.js');
const { leave } = require('../src/leave.js');

/// A session as the middleware for sessions makes it.
function request() {
  const req = {};
  const make = (done) => {
    req.session = { save: setImmediate, regenerate: make };
    if (done) setImmediate(done);
  };
  make();
  return req;
}

const gone = (req) => new Promise((resolve) => { leave(req, { redirect: resolve }); });

test('who comes in is in the session', async () => {
  const req = request();
  await enter(req, { id: 7 });
  assert.strictEqual(req.session.passport.user, 7);
});
test('who leaves is sent on', async () => {
  const req = request();
  await enter(req, { id: 7 });
  assert.strictEqual(await gone(req), '/bye');
});
test('and is not in the session any more', async () => {
  const req = request();
  await enter(req, { id: 7 });
  await gone(req);
  assert.strictEqual(req.session.passport?.user, undefined);
});
