import { createReadStream } from 'fs';
import tar from 'tar';

export async function pack(dir, file) {
  await tar.create({ gzip: true, file, cwd: dir, portable: true }, ['.']);
}

export async function unpack(file, cwd) {
  const problems = [];
  await tar.extract({
    file,
    cwd,
    strip: 1,
    onwarn: (message, data) => problems.push({ message, data })
  });
  return problems;
}

export function names(file) {
  const found = [];
  tar.list({ file, sync: true, onentry: (entry) => found.push(entry.path) });
  return found;
}

export function firstEntry(file) {
  return new Promise((resolve, reject) => {
    const parser = new tar.Parse({ strict: true });
    parser.on('entry', (entry) => {
      resolve(entry.path);
      entry.resume();
    });
    parser.on('error', reject);
    createReadStream(file).pipe(parser);
  });
}
