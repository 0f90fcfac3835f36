import assert from 'node:assert';
import test from 'node:test';
import { open, renew } from '../src/session.js';

test('a session has an id of the usual length', () => assert.match(open('a', 1).id, /^[\w-]{21}$/));
test('no two sessions are the same', () => assert.notStrictEqual(open('a', 1).id, open('a', 1).id));
test('renewing changes the id alone', () => {
  const session = open('a', 1);
  const { id, ...rest } = renew(session);
  assert.match(id, /^[\w-]{32}$/);
  assert.deepStrictEqual(rest, { name: 'a', since: 1 });
});
