#!/usr/bin/env node
// A package registry for these tests, on loopback only. Node 18, no dependencies.
//
//   registry.mjs [--mirror DIR] [--until DAY]   prints the port as one line, then serves until
//                                               standard input ends or SIGTERM comes
//
// It has what is described in ./packages and in examples/registry/packages, and what
// prepare.mjs put into the mirror: never does it ask anybody. `--until` hides what of our
// own packages was published later, so that locks can be made as they were before a fix.
//
// Two fields of a version in versions.json are for here alone:
//   elsewhere   the address that is said to be the tarball's; not with --until
//   damaged     the tarball is served with another byte at its end than its integrity says
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Catalog, abbreviated, tarballPath } from '../../examples/registry/catalog.mjs';

const here = dirname(fileURLToPath(import.meta.url));

/// Entries of lockfiles with their tarballs, as prepare.mjs left them.
class Mirror {
  #byName = new Map();

  constructor(folder) {
    this.folder = folder;
    const files = folder && existsSync(folder) ? readdirSync(folder) : [];
    for (const file of files.filter((f) => f.endsWith('.json'))) {
      const entry = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      if (!this.#byName.has(entry.name)) this.#byName.set(entry.name, new Map());
      this.#byName.get(entry.name).set(entry.version, entry);
    }
  }

  #file(name, version) {
    return join(this.folder, encodeURIComponent(`${name}@${version}`) + '.tgz');
  }

  packument(name, base) {
    const entries = this.#byName.get(name);
    if (!entries) return undefined;
    const versions = {};
    const time = {};
    for (const [version, entry] of entries) {
      const { integrity, shasum, ...manifest } = entry;
      const dist = { integrity, shasum, tarball: base + tarballPath(name, version) };
      versions[version] = { ...manifest, dist };
      time[version] = '2024-01-01T00:00:00.000Z';
    }
    const latest = [...entries.keys()].sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
    time.modified = '2024-01-01T00:00:00.000Z';
    return { name, 'dist-tags': { latest }, versions, time };
  }

  tarball(name, version) {
    const found = this.#byName.get(name)?.has(version) && existsSync(this.#file(name, version));
    return found ? readFileSync(this.#file(name, version)) : undefined;
  }
}

class Shop {
  #catalogs;
  #mirror;
  #until;

  constructor({ mirror, until }) {
    this.#catalogs = [join(here, 'packages'), join(here, '..', '..', 'examples', 'registry', 'packages')]
      .map((folder) => new Catalog(folder));
    this.#mirror = new Mirror(mirror);
    this.#until = until;
  }

  #own(name) {
    return this.#catalogs.find((catalog) => catalog.versions(name).length > 0);
  }

  packument(name, base) {
    const found = this.#own(name)?.packument(name, base);
    if (!found) return this.#mirror.packument(name, base);
    for (const [version, released] of Object.entries(found.versions)) {
      if (released.elsewhere && !this.#until) released.dist.tarball = released.elsewhere;
      if (!this.#until || found.time[version] < this.#until) continue;
      delete found.versions[version];
      delete found.time[version];
      if (found['dist-tags'].latest === version) delete found['dist-tags'].latest;
    }
    found['dist-tags'].latest ??= Object.keys(found.versions).at(-1);
    return found;
  }

  tarball(name, version) {
    const own = this.#own(name);
    if (!own) return this.#mirror.tarball(name, version);
    const found = own.tarball(name, version);
    if (!found) return undefined;
    return own.manifest(name, version).damaged ? Buffer.concat([found.bytes, Buffer.from('\n')]) : found.bytes;
  }
}

function reply(request, response, status, type, body) {
  const bytes = Buffer.from(body);
  const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`;
  const headers = { 'content-type': type, 'content-length': bytes.length, etag, vary: 'accept' };
  response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : bytes);
}

function answer(shop, request, response) {
  const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname).slice(1);
  const [, name, file] = /^((?:@[^/]+\/)?[^/]+)\/-\/(.+)\.tgz$/.exec(path) ?? [];
  if (request.method === 'GET' && file) {
    const bytes = shop.tarball(name, file.slice(name.replace(/^@[^/]*\//, '').length + 1));
    if (bytes) return reply(request, response, 200, 'application/octet-stream', bytes);
  } else if (request.method === 'GET') {
    const found = shop.packument(path, `http://${request.headers.host}`);
    const short = (request.headers.accept ?? '').startsWith('application/vnd.npm.install-v1+json');
    if (found) {
      return reply(request, response, 200, 'application/json', JSON.stringify(short ? abbreviated(found) : found));
    }
  }
  request.resume();
  return reply(request, response, 404, 'application/json', '{"error":"not found"}');
}

/// Resolves to {url, close} when it serves.
export function serve(options) {
  const shop = new Shop(options);
  const server = createServer((request, response) => {
    try {
      answer(shop, request, response);
    } catch {
      reply(request, response, 400, 'application/json', '{"error":"bad request"}');
    }
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      const close = () => {
        server.closeAllConnections();
        server.close();
      };
      resolve({ port, url: `http://127.0.0.1:${port}`, close });
    });
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { mirror: { type: 'string' }, until: { type: 'string' } } });
  const { port } = await serve(values);
  console.log(port);
  const end = () => process.exit(0);
  process.on('SIGTERM', end);
  process.stdin.on('end', end).on('error', end).resume();
}
