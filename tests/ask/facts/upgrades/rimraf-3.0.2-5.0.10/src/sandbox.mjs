import { mkdtemp } from 'fs/promises';
import { tmpdir } from 'os';
import { join } from 'path';
import rimraf from 'rimraf';

export async function withSandbox(work) {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  try {
    return await work(folder);
  } finally {
    await new Promise((resolve, reject) => {
      rimraf(folder, (error) => (error ? reject(error) : resolve()));
    });
  }
}

process.once('exit', () => rimraf.sync(join(tmpdir(), 'sandbox-left-*')));
