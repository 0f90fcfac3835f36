#!/usr/bin/env node
// Makes a project of FOLDER/projects ready: with a lock that its own package manager wrote,
// and with all packages of that lock in a mirror. Node 18, no dependencies.
//
//   prepare.mjs DIR NAME [FOLDER]   writes DIR/projects/NAME, and what it takes to DIR/mirror;
//                                   FOLDER is this one unless it is named
//
// FOLDER/stock.json, where there is one, names by project what else goes to the mirror:
// versions that a fix can choose from.
//
// Once that is done nothing is asked for again as long as the project stays as it is.
// Packages that are not ours are fetched by npm, as npm is configured; status 3 says that
// they cannot be had here. Locks name https://registry.example/ as the origin of everything.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync,
  writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from './registry.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const NEUTRAL = 'https://registry.example/';
const BEFORE_FIXES = '2026-01-01';
const out = resolve(process.argv[2]);
const name = process.argv[3];
const folder = resolve(process.argv[4] ?? here);
const mirror = join(out, 'mirror');
/// Its packages are those of mocha-lib, which npm fetched.
const SHARED = { 'yarn-app': 'mocha-lib', 'pnpm-app': 'mocha-lib', 'pnp-app': 'mocha-lib' };
/// Who writes its lock, by tests/shelf/managers.txt; the mirror has it for whoever proves it.
const MANAGERS = { 'yarn-app': 'yarn1', 'pnpm-app': 'pnpm9', 'pnp-app': 'yarn4' };

/// Who has no network should not wait for it.
const BRIEF = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000'];

class CannotBeHad extends Error {}
function cannotBeHad(error) {
  throw new CannotBeHad(error.message);
}

/// What a program wrote; throws with that if it fails.
function run(argv, cwd, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(argv[0], argv.slice(1),
      { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    let stdout = '';
    child.stdout.on('data', (text) => { said += text; stdout += text; });
    child.stderr.on('data', (text) => { said += text; });
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(stdout) : reject(new Error(`${argv.join(' ')}: ${said}`))));
  });
}

function digest(places) {
  const hash = createHash('sha256');
  for (const place of places) {
    for (const file of readdirSync(place, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const path = join(file.parentPath ?? file.path, file.name);
      hash.update(path.slice(place.length) + '\0').update(readFileSync(path)).update('\0');
    }
  }
  return hash.digest('hex');
}

function writeWhole(path, bytes) {
  writeFileSync(path + '.new', bytes);
  renameSync(path + '.new', path);
}

const managersText = readFileSync(join(here, '..', 'shelf', 'managers.txt'), 'utf8');

/// Of a line of managers.txt: the folder whose .bin has it. It is in the mirror then, as a package.
async function manager(of) {
  const place = join(out, 'managers', of);
  const stamp = join(place, 'installed.txt');
  const spec = new RegExp(`^${of} (.*)$`, 'm').exec(managersText)[1];
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== spec) {
    mkdirSync(place, { recursive: true });
    const words = ['npm', 'install', '--prefix', place, '--ignore-scripts', '--no-audit', '--no-fund'];
    await run([...words, ...BRIEF, spec], place).catch(cannotBeHad);
    const lock = JSON.parse(readFileSync(join(place, 'package-lock.json'), 'utf8'));
    await keep(lock, (await run(['npm', 'config', 'get', 'cache'], place)).trim(), true);
    writeWhole(stamp, spec);
  }
  return join(place, 'node_modules', '.bin');
}

/// The bytes that npm has in its cache.
function cached(cache, integrity) {
  for (const one of integrity.split(' ').filter((i) => i.startsWith('sha512-'))) {
    const hex = Buffer.from(one.slice(7), 'base64').toString('hex');
    const file = join(cache, '_cacache', 'content-v2', 'sha512', hex.slice(0, 2), hex.slice(2, 4), hex.slice(4));
    if (existsSync(file)) return readFileSync(file);
  }
  return undefined;
}

const KEPT = ['version', 'integrity', 'dependencies', 'optionalDependencies', 'peerDependencies',
  'peerDependenciesMeta', 'bin', 'engines', 'os', 'cpu', 'libc', 'license', 'hasInstallScript'];

/// What is not ours goes to the mirror. Packages of other platforms npm has not fetched; but
/// yarn wants to see all of them.
async function keep(lock, cache, all) {
  mkdirSync(mirror, { recursive: true });
  for (const [location, entry] of Object.entries(lock.packages)) {
    const at = location.lastIndexOf('node_modules/');
    const entryName = entry.name ?? location.slice(at + 13);
    if (at < 0 || !entry.integrity || entryName.startsWith('@proof/')) continue;
    const path = join(mirror, encodeURIComponent(`${entryName}@${entry.version}`));
    // Another project may have left this one without its bytes.
    if (existsSync(path + '.tgz') || (!all && existsSync(path + '.json'))) continue;
    let bytes = cached(cache, entry.integrity);
    if (!bytes && all) {
      await run(['npm', 'cache', 'add', `${entryName}@${entry.version}`, ...BRIEF], out).catch(cannotBeHad);
      bytes = cached(cache, entry.integrity);
    }
    if (!bytes && !entry.optional) throw new Error(`npm has not kept ${entryName}@${entry.version}`);
    if (bytes) writeWhole(path + '.tgz', bytes);
    const fields = Object.fromEntries(KEPT.filter((k) => k in entry).map((k) => [k, entry[k]]));
    const shasum = bytes && createHash('sha1').update(bytes).digest('hex');
    writeWhole(path + '.json', JSON.stringify({ name: entryName, ...fields, shasum }));
  }
}

/// Optional packages that the registry does not have are not in the lock, and `npm ci` would
/// look for them again and again.
function forget(lock) {
  const names = new Set(Object.keys(lock.packages).map((l) => l.slice(l.lastIndexOf('node_modules/') + 13)));
  for (const { optionalDependencies: wanted } of Object.values(lock.packages)) {
    for (const one of Object.keys(wanted ?? {})) if (!names.has(one)) delete wanted[one];
  }
}

/// Whatever host it was: all came from somewhere under a package's name.
function neutral(lock) {
  for (const [location, entry] of Object.entries(lock.packages)) {
    const entryName = entry.name ?? location.slice(location.lastIndexOf('node_modules/') + 13);
    const at = entry.resolved?.lastIndexOf(`/${entryName}/-/`) ?? -1;
    if (at >= 0) entry.resolved = NEUTRAL + entry.resolved.slice(at + 1);
  }
}

const stockFile = join(folder, 'stock.json');
const stockText = existsSync(stockFile) ? readFileSync(stockFile, 'utf8') : '{}';

/// A project that nobody has: each version under a name of its own, so that one lock holds all.
async function stock(specs, registry) {
  const place = mkdtempSync(join(tmpdir(), 'prove-stock-'));
  const dependencies = Object.fromEntries(specs.map((spec, i) => [`stock-${i}`, `npm:${spec}`]));
  try {
    writeFileSync(join(place, 'package.json'), JSON.stringify({ name: 'stock', version: '1.0.0', dependencies }));
    await lockWithNpm(place, registry, true);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/// Whether manifests ask for what is neither ours nor one of them.
function isForeign(manifests) {
  const own = new Set(manifests.map((manifest) => manifest.name));
  return manifests.flatMap(({ dependencies, devDependencies }) => Object.keys({ ...dependencies, ...devDependencies }))
    .some((one) => !one.startsWith('@proof/') && !own.has(one));
}

async function lockWithNpm(folder, registry, all) {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--prefer-offline',
    '--no-omit-lockfile-registry-resolved', '--package-lock', '--include=dev', ...BRIEF];
  const foreign = isForeign(readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('package.json'))
    .map((file) => JSON.parse(readFileSync(join(folder, file)))));
  await run(['npm', 'install', `--@proof:registry=${registry.url}/`, ...flags], folder).catch((error) => {
    if (foreign) cannotBeHad(error);
    throw error;
  });
  const file = join(folder, 'package-lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  if (foreign) await keep(lock, (await run(['npm', 'config', 'get', 'cache'], folder)).trim(), all);
  forget(lock);
  neutral(lock);
  writeFileSync(file, JSON.stringify(lock, null, 2) + '\n');
}

async function lockWithOther(folder, registry, file, words) {
  const home = mkdtempSync(join(tmpdir(), 'prove-home-'));
  const PATH = `${await manager(MANAGERS[name])}:${process.env.PATH}`;
  const berry = { YARN_NPM_REGISTRY_SERVER: registry.url, YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    YARN_ENABLE_TELEMETRY: '0', YARN_ENABLE_IMMUTABLE_INSTALLS: '0', YARN_GLOBAL_FOLDER: join(home, 'berry') };
  try {
    await run(words, folder,
      { PATH, HOME: home, YARN_CACHE_FOLDER: join(home, 'yarn'), NPM_CONFIG_GLOBALCONFIG: '/dev/null', CI: '1', ...berry });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  const path = join(folder, file);
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(registry.url + '/', NEUTRAL));
}

async function prepare(project) {
  if (SHARED[project]) await prepare(SHARED[project]);
  const from = join(folder, 'projects', project);
  const to = join(out, 'projects', project);
  const specs = JSON.parse(stockText)[project] ?? [];
  const key = digest([from, join(here, 'packages')]) + managersText.length + specs.join();
  if (existsSync(to + '.key') && readFileSync(to + '.key', 'utf8') === key) {
    if (SHARED[project]) await manager(MANAGERS[project]);
    return;
  }
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  cpSync(from, to, { recursive: true });
  const registry = await serve({ mirror, until: BEFORE_FIXES });
  try {
    const at = ['--registry', registry.url + '/'];
    if (project === 'yarn-app') {
      await lockWithOther(to, registry, 'yarn.lock',
        ['yarn', 'install', '--ignore-scripts', '--non-interactive', ...at]);
    } else if (project === 'pnpm-app') {
      await lockWithOther(to, registry, 'pnpm-lock.yaml', ['pnpm', 'install', '--lockfile-only', ...at]);
    } else if (project === 'pnp-app') {
      writeFileSync(join(to, 'yarn.lock'), '');
      await lockWithOther(to, registry, 'yarn.lock', ['yarn', 'install', '--mode=skip-build']);
      for (const made of ['.pnp.cjs', '.pnp.loader.mjs', '.yarn']) {
        rmSync(join(to, made), { recursive: true, force: true });
      }
    } else {
      await lockWithNpm(to, registry, Object.values(SHARED).includes(project));
      if (specs.length > 0) await stock(specs, registry);
    }
  } finally {
    registry.close();
  }
  for (const entry of readdirSync(to, { recursive: true })) {
    if (entry.endsWith('node_modules')) rmSync(join(to, entry), { recursive: true, force: true });
  }
  writeWhole(to + '.key', key);
}

try {
  await prepare(name);
} catch (error) {
  console.error(error.message);
  process.exitCode = error instanceof CannotBeHad ? 3 : 1;
}
