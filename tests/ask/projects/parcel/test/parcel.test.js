import assert from 'node:assert';
import test from 'node:test';
import { pack } from '../src/pack.js';
import { unpack } from '../src/unpack.js';

const files = { 'a.txt': 'first', 'b.txt': 'second' };

test('a parcel is bytes', async () => assert.ok(Buffer.isBuffer(await pack(files))));
test('it starts as all of them do', async () => assert.strictEqual((await pack(files)).toString('latin1', 0, 2), 'PK'));
test('what is packed comes out again', async () => assert.deepStrictEqual(await unpack(await pack(files)), files));
