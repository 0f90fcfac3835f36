import assert from 'node:assert';
import test from 'node:test';
import { shown } from '../src/note.js';
import { ticket } from '../src/ticket.js';

test('a note has its emphasis', () => assert.match(shown('it is *hot*'), /<em>hot<\/em>/));
test('a ticket has an id of its own', () => {
  const one = ticket('a');
  assert.match(one.id, /^[\w-]{12}$/);
  assert.notStrictEqual(one.id, ticket('a').id);
});
test('a ticket is free at first', () => assert.strictEqual(ticket('b').taken, false));
