// Runs codegenie as a user would on the clones of list.tsv, and looks at what came of it outside of the sandbox.
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const top = resolve(here, '../..');
const codegenie = join(top, 'build/release/programs/codegenie/codegenie');

// --- what is asked for ---

const asked = { only: [], truth: true, again: false, keep: false, advisories: '' };
const words = process.argv.slice(2);
let clones = '';
while (words.length > 0) {
  const word = words.shift();
  if (word === '--advisories') asked.advisories = words.shift();
  else if (word === '--only') asked.only.push(words.shift());
  else if (word === '--no-truth') asked.truth = false;
  else if (word === '--again') asked.again = true;
  else if (word === '--keep') asked.keep = true;
  else if (!word.startsWith('-') && !clones) clones = resolve(word);
  else usage(`what is ${word}?`);
}
function usage(why) {
  console.error(`${why}\nusage: perf/real/run [--advisories FILE] [--only OWNER/NAME]… [--no-truth] [--again] [--keep] DIR`);
  process.exit(2);
}
if (!clones) usage('which folder has the clones?');
asked.advisories ||= process.env.CG_DATA ? join(process.env.CG_DATA, 'osv-npm.jsonl') : '';
if (!existsSync(asked.advisories)) usage('--advisories: OSV records as JSON lines are needed');

const list = readFileSync(join(here, 'list.tsv'), 'utf8').split('\n')
  .filter((line) => line && !line.startsWith('#'))
  .map((line) => line.split('\t'))
  .map(([name, commit, brings]) => ({ name, commit, brings }))
  .filter(({ name }) => asked.only.length === 0 || asked.only.includes(name));

// --- running things ---

const work = mkdtempSync(join(tmpdir(), 'codegenie-real-'));
process.on('exit', () => (asked.keep ? console.log(`kept: ${work}`) : rmSync(work, { recursive: true, force: true })));
process.on('SIGINT', () => process.exit(130));

const kept = join(top, 'build/real'); // what each run said, in full
mkdirSync(kept, { recursive: true });
const kLimit = 45 * 60_000; // for any one command

/// What a command did, and what it took: CPU seconds and the largest process, by the shell's own clock.
/// `log`: a file that gets what it says on the way.
function run(argv, { cwd, env = {}, log }) {
  const err = log ? openSync(log, 'w') : 'pipe';
  const times = join(work, 'times');
  const began = Date.now();
  const said = spawnSync('/usr/bin/env', ['python3', join(here, 'timed.py'), times, ...argv], {
    cwd, encoding: 'utf8', maxBuffer: 256 << 20, timeout: kLimit, stdio: ['ignore', 'pipe', err],
    env: { ...process.env, CI: '1', NO_COLOR: '1', ...env },
  });
  if (log) closeSync(err);
  const took = existsSync(times) ? JSON.parse(readFileSync(times, 'utf8')) : { cpu: NaN, rss: NaN };
  return { exit: said.status ?? 128, out: said.stdout ?? '', err: log ? readFileSync(log, 'utf8') : said.stderr ?? '', s: (Date.now() - began) / 1000, ...took };
}

const git = (cwd, ...argv) => execFileSync('git', argv, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/// A work tree of its own at a commit.
function checkout(name, commit, place) {
  const source = [join(clones, name.replace('/', '+')), join(clones, name.replace('/', '+'), 'repo')]
    .find((folder) => existsSync(join(folder, 'HEAD')) || existsSync(join(folder, '.git')));
  if (!source) return false;
  const to = join(work, place);
  rmSync(to, { recursive: true, force: true });
  git(work, 'clone', '-q', '--no-hardlinks', source, to);
  git(to, 'checkout', '-q', '-B', 'main', commit);
  return to;
}

/// How its own people install and test it. Scripts of packages do not run, as in the sandbox.
function manager(tree) {
  const manifest = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8'));
  const named = /^(npm|yarn|pnpm)@(\d+)/.exec(manifest.packageManager ?? '');
  const version = (fallback) => (named ? manifest.packageManager.split('@')[1].split('+')[0] : fallback);
  if (existsSync(join(tree, 'package-lock.json'))) {
    return { install: ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], test: ['npm', 'test'] };
  }
  if (existsSync(join(tree, 'pnpm-lock.yaml'))) {
    const pnpm = ['npx', '--yes', `pnpm@${version('9')}`];
    return { install: [...pnpm, 'install', '--frozen-lockfile', '--ignore-scripts'], test: [...pnpm, 'test'] };
  }
  const classic = readFileSync(join(tree, 'yarn.lock'), 'utf8').includes('yarn lockfile v1');
  const yarn = classic ? ['npx', '--yes', 'yarn@1.22.22'] : ['npx', '--yes', '-p', `@yarnpkg/cli-dist@${version('4')}`, 'yarn'];
  return classic
    ? { install: [...yarn, 'install', '--frozen-lockfile', '--ignore-scripts'], test: [...yarn, 'test'] }
    : { install: [...yarn, 'install', '--immutable', '--mode=skip-build'], test: [...yarn, 'test'] };
}

/// Installed and tested on this machine as it is.
function outside(tree) {
  const how = manager(tree);
  const install = run(how.install, { cwd: tree });
  if (install.exit !== 0) return { install: install.exit, test: null, s: install.s, said: tail(install) };
  const test = run(how.test, { cwd: tree });
  return { install: 0, install_s: install.s, test: test.exit, s: test.s, said: tail(test) };
}
const tail = ({ out, err }) => (err.trim() || out.trim()).split('\n').slice(-3).join(' | ').slice(0, 300);

/// Whether a package can be loaded by its name at all: some only have paths beneath it.
function has_main(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (exports === null || typeof exports !== 'object' || Array.isArray(exports)) return true;
  const keys = Object.keys(exports);
  return !keys.some((key) => key.startsWith('.')) || keys.includes('.');
}

/// Why a package cannot be loaded from where it was installed, in neither of the two ways; empty if it can.
function why_not_loaded(tree, name) {
  const script = `const n=${JSON.stringify(name)};try{require(n)}catch(e){import(n).catch((f)=>{console.error(e.message,f.message);process.exit(1)})}`;
  const said = spawnSync('node', ['-e', script], { cwd: tree, encoding: 'utf8', timeout: 60_000 });
  return said.status === 0 ? '' : said.stderr.trim().split('\n')[0].slice(0, 120) || `exit ${said.status}`;
}

/// Packages that moved and cannot be loaded, but for those that could not be before: some are types alone, or data.
function loads(tree, base, moved) {
  const bad = [];
  for (const { package: name, to } of moved) {
    const folder = join(tree, 'node_modules', name);
    if (!to || !existsSync(join(folder, 'package.json')) || !has_main(folder)) continue;
    const why = why_not_loaded(tree, name);
    const before = why && existsSync(join(base, 'node_modules', name)) ? why_not_loaded(base, name) : '';
    if (why && !before) bad.push(`${name}@${to}: ${why}`);
  }
  return bad;
}

// --- one repository ---

function measure({ name, commit, brings }) {
  const row = { name, brings };
  const repo = checkout(name, commit, 'repo');
  if (!repo) return { ...row, dropped: 'no clone' };
  const home = join(work, 'home');
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  const env = { CODEGENIE_HOME: join(home, 'workspace'), CODEGENIE_GUARD_DIR: join(home, 'guard') };
  const made = run([codegenie, 'init'], { cwd: repo, env });
  const index = run([codegenie, 'vuln-index', 'refresh', '--from', asked.advisories], { cwd: repo, env });
  if (made.exit !== 0 || index.exit !== 0) throw new Error(`no workspace: ${tail(made)} ${tail(index)}`);

  const file = (what) => join(kept, `${name.replace('/', '+')}.${what}`);
  const remediate = (log) => run([codegenie, 'remediate', '.', '--all', '--format', 'json'], { cwd: repo, env, log: file(log) });
  const first = remediate('log');
  writeFileSync(file('json'), first.out);
  Object.assign(row, { exit: first.exit, minutes: first.s / 60, cpu: first.cpu, gib: first.rss / (1 << 20) });
  let outcome = {};
  try { outcome = JSON.parse(first.out); } catch { row.said = tail(first); }
  const wrong = outcome.error;
  if (wrong) row.said = [`${wrong.code}: ${wrong.what}`, ...Object.values(wrong.where), ...wrong.help].join(' | ');
  const copies = outcome.copies ?? [];
  const count = (verdict) => copies.filter((copy) => copy.verdict === verdict).length;
  Object.assign(row, {
    outcome: outcome.outcome, copies: copies.length, fixed: count('fixed'),
    handed_on: copies.length - count('fixed'),
    branches: (outcome.commits ?? []).length,
    proven: (outcome.commits ?? []).filter((one) => one.outcome === 'proven').length,
    why: copies.filter((copy) => copy.verdict !== 'fixed').map((copy) => copy.reason).filter(Boolean)[0] ?? row.said,
  });
  if (asked.again) {
    const again = remediate('again.log');
    row.again = again.s / first.s;
  }
  if (asked.truth) truth(row, repo, commit, outcome);
  return row;
}

/// The base and every proven branch on this machine, without us.
function truth(row, repo, commit, outcome) {
  const proven = (outcome.commits ?? []).filter((one) => one.outcome === 'proven');
  const untouched = checkout(row.name, commit, 'outside');
  const base = outside(untouched);
  row.base = base.install !== 0 ? `install ${base.install}` : `test ${base.test}`;
  if (base.install !== 0 || (base.test !== 0 && proven.length === 0)) row.outside = base.said;
  row.lies = [];
  for (const one of proven) {
    const tree = join(work, 'branch');
    rmSync(tree, { recursive: true, force: true });
    git(work, 'clone', '-q', '-b', one.branch, repo, tree);
    const fix = outside(tree);
    if (fix.install !== base.install || fix.test !== base.test) {
      row.lies.push(`${one.branch}: install ${fix.install}, test ${fix.test}: ${fix.said}`);
    }
    row.lies.push(...loads(tree, untouched, outcome.moved ?? []).map((bad) => `${one.branch}: ${bad}`));
  }
}

// --- all of them ---

const rows = [];
const round = (number, digits = 1) => (Number.isFinite(number) ? number.toFixed(digits) : '-');
console.log('repository\toutcome\tcopies\tfixed\thanded on\tbranches\tproven\tminutes\tCPU s\tGiB\tagain\toutside\tlies');
for (const one of list) {
  let row;
  try { row = measure(one); } catch (error) { row = { name: one.name, outcome: 'error', why: String(error.message).slice(0, 300) }; }
  rows.push(row);
  console.log([row.name, row.dropped ? `dropped: ${row.dropped}` : row.outcome, row.copies, row.fixed, row.handed_on, row.branches,
    row.proven, round(row.minutes), round(row.cpu, 0), round(row.gib), round(row.again, 3), row.base, (row.lies ?? []).length].join('\t'));
  if (row.proven === 0 || row.why) console.log(`\t  ${row.why ?? ''}`);
  if (row.outside) console.log(`\t  outside: ${row.outside}`);
  for (const lie of row.lies ?? []) console.log(`\t  LIE ${lie}`);
}
// Only what does not work for its own people either is left out.
const dropped = rows.filter((row) => row.dropped || (row.proven === 0 && row.base && row.base !== 'test 0'));
const counted = rows.filter((row) => !dropped.includes(row) && row.copies > 0);
const proven = counted.filter((row) => row.proven > 0);
for (const row of dropped) console.log(`dropped: ${row.name}: ${row.dropped ?? row.base}`);
console.log(`${proven.length} of ${counted.length} repositories with something to fix got a branch proven by named tests, ` +
  `${rows.reduce((sum, row) => sum + (row.lies ?? []).length, 0)} lies`);
writeFileSync(join(kept, 'rows.json'), JSON.stringify(rows, null, 1));
