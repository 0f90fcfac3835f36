#!/usr/bin/env node
// A package registry for examples and tests, on loopback only. Node 18, no dependencies.
//
//   serve.mjs [--port N] [--advisories DIR]   prints the port as one line, then serves until
//                                             standard input ends or SIGTERM comes
//   serve.mjs --export DIR                    writes every packument to DIR, and ends
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { bulkAnswer } from './advisories.mjs';
import { Catalog, abbreviated } from './catalog.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    advisories: { type: 'string', default: join(here, '..', 'advisories') },
    export: { type: 'string' },
  },
});
const catalog = new Catalog(join(here, 'packages'));

function exportTo(folder) {
  mkdirSync(folder, { recursive: true });
  for (const name of catalog.names()) {
    const text = JSON.stringify(catalog.packument(name)) + '\n';
    writeFileSync(join(folder, encodeURIComponent(name) + '.json'), text);
  }
}

function reply(request, response, status, type, body) {
  const headers = { 'content-type': type, etag: `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"` };
  if (status === 200 && request.headers['if-none-match'] === headers.etag) {
    response.writeHead(304, headers).end();
    return;
  }
  let bytes = Buffer.from(body);
  headers.vary = 'accept, accept-encoding';
  if (type === 'application/json' && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) {
    bytes = gzipSync(bytes);
    headers['content-encoding'] = 'gzip';
  }
  headers['content-length'] = bytes.length;
  response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : bytes);
}

function replyJson(request, response, status, value) {
  reply(request, response, status, 'application/json', JSON.stringify(value));
}

function get(request, response) {
  const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
  const tarball = /^\/((?:@[^/]+\/)?[^/]+)\/-\/(.+)\.tgz$/.exec(path);
  if (tarball) {
    const [, name, file] = tarball;
    const found = catalog.tarball(name, file.slice(name.replace(/^@[^/]*\//, '').length + 1));
    if (found) return reply(request, response, 200, 'application/octet-stream', found.bytes);
  } else {
    const packument = catalog.packument(path.slice(1), `http://${request.headers.host}`);
    const short = (request.headers.accept ?? '').startsWith('application/vnd.npm.install-v1+json');
    if (packument) return replyJson(request, response, 200, short ? abbreviated(packument) : packument);
  }
  return replyJson(request, response, 404, { error: 'not found' });
}

async function audit(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const zipped = request.headers['content-encoding'] === 'gzip';
  const asked = JSON.parse(zipped ? gunzipSync(bytes) : bytes);
  replyJson(request, response, 200, bulkAnswer(options.advisories, asked));
}

function answer(request, response) {
  if (request.method === 'GET' || request.method === 'HEAD') return get(request, response);
  if (request.method === 'POST' && request.url === '/-/npm/v1/security/advisories/bulk') {
    return audit(request, response).catch(() => replyJson(request, response, 400, { error: 'bad request' }));
  }
  request.resume();
  return replyJson(request, response, 405, { error: 'method not allowed' });
}

function serve() {
  const server = createServer((request, response) => {
    try {
      answer(request, response);
    } catch {
      replyJson(request, response, 400, { error: 'bad request' });
    }
  });
  server.listen(Number(options.port), '127.0.0.1', () => console.log(server.address().port));
  const end = () => process.exit(0);
  process.on('SIGTERM', end);
  process.stdin.on('end', end).on('error', end).resume();
}

if (options.export) exportTo(options.export);
else serve();
