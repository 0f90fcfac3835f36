import assert from 'node:assert';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { isEmpty, list } from '../src/list.js';
import { save } from '../src/save.js';

const folder = mkdtempSync(join(tmpdir(), 'backup-'));
test.after(() => rmSync(folder, { recursive: true }));
for (const name of ['b.txt', 'a.txt']) writeFileSync(join(folder, name), name);

test('an archive has what was saved', async () => {
  const archive = await save(folder, ['b.txt', 'a.txt'], join(folder, 'all.tgz'));
  assert.deepStrictEqual(await list(archive), ['a.txt', 'b.txt']);
});
test('it is not empty', async () => {
  assert.strictEqual(await isEmpty(await save(folder, ['a.txt'], join(folder, 'one.tgz'))), false);
});
