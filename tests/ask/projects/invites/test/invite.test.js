import assert from 'node:assert';
import test from 'node:test';
import { code, invite, pin } from '../src/invite.js';

test('a code is two groups of four', () => assert.match(code(), /^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/));
test('a pin has as many digits as asked for', () => {
  assert.match(pin(4), /^[0-9]{4}$/);
  assert.match(pin(12), /^[0-9]{12}$/);
});
test('an invitation names the guest', () => {
  const { guest, pin: digits } = invite('b');
  assert.strictEqual(guest, 'b');
  assert.match(digits, /^[0-9]{6}$/);
});
