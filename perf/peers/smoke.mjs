// smoke.mjs FOLDER: registry, scanner and comparison on a made-up project, within seconds.
// As a test it shows that they work; what the peers do on real trees is for perf/peers/run.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { affects, rangeText, readAdvisories, semver } from './advisories.mjs'
import { agreement, compare, readLock, vulnerable } from './count.mjs'
import { startRegistry } from './registry.mjs'

const folder = path.resolve(process.argv[2])
fs.rmSync(folder, { recursive: true, force: true })
const put = (name, value) => {
  const file = path.join(folder, name)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value))
  return file
}
const lines = (records) => records.map((r) => JSON.stringify(r)).join('\n') + '\n'

const manifest = (name, version, dependencies = {}) => ({
  name,
  version,
  dependencies,
  dist: {
    tarball: `https://registry.example/${name}/-/${name}-${version}.tgz`,
    integrity: `sha512-${Buffer.from(name + version).toString('base64')}`,
  },
})
const packument = (name, ...versions) => ({
  name,
  'dist-tags': { latest: versions.at(-1).version },
  versions: Object.fromEntries(versions.map((v) => [v.version, v])),
})
put('data/registry.jsonl', lines([
  packument('acorn-cup', manifest('acorn-cup', '1.0.0'), manifest('acorn-cup', '1.2.0')),
  packument('oak', manifest('oak', '2.0.0', { 'acorn-cup': '^1.0.0' })),
]))
const osv = (id, name, events, more = {}) => ({
  id,
  summary: id,
  affected: [{ package: { ecosystem: 'npm', name }, ranges: [{ type: 'SEMVER', events }] }],
  ...more,
})
const feed = put('data/osv-npm.jsonl', lines([
  osv('GHSA-0000-0000-0001', 'acorn-cup', [{ introduced: '0' }, { fixed: '1.1.0' }]),
  osv('GHSA-0000-0000-0002', 'acorn-cup', [{ introduced: '0' }], { withdrawn: '2020-01-01T00:00:00Z' }),
  osv('MAL-0000-1', 'oak', [{ introduced: '0' }]),
  osv('GHSA-0000-0000-0003', 'elm',
    [{ introduced: '1.2' }, { last_affected: '1.4.0' }, { introduced: '2.0.0-rc0' }, { fixed: '2.1.0' }]),
]))
const entry = (name, version, dependencies) => {
  const { tarball, integrity } = manifest(name, version).dist
  return { version, resolved: tarball, integrity, dependencies }
}
const lockOf = (packages) => ({ name: 'grove', version: '1.0.0', lockfileVersion: 3, requires: true, packages })
const root = { name: 'grove', version: '1.0.0', dependencies: { oak: '^2.0.0' } }
put('data/repos/smoke__grove/package.json', root)
const lockFile = put('data/repos/smoke__grove/package-lock.json', lockOf({
  '': root,
  'node_modules/acorn-cup': entry('acorn-cup', '1.0.0'),
  'node_modules/oak': entry('oak', '2.0.0', { 'acorn-cup': '^1.0.0' }),
  'node_modules/other': { ...entry('acorn-cup', '1.0.0'), name: 'acorn-cup' },
  'node_modules/linked': { resolved: 'acorn-cup', link: true },
  'acorn-cup': { name: 'acorn-cup', version: '1.0.0' },
}))

// The two evaluations of an advisory agree, at and around every bound.
const advisories = readAdvisories(feed)
const elm = advisories.get('elm')[0]
const around = ['0.1.0', '1.1.9', '1.2.0-a', '1.2.0', '1.4.0', '1.4.1-0', '1.5.0', '2.0.0-rc0', '2.0.0', '2.1.0-b', '2.1.0']
for (const v of around) {
  const range = rangeText(elm)
  assert.equal(affects(elm, v), semver.satisfies(v, range, { includePrerelease: true, loose: true }), v)
}
assert.deepEqual([...advisories.keys()], ['acorn-cup', 'elm'], 'withdrawn and malware are left out')

// Copies: an alias counts by its name; links and workspaces do not count.
const before = readLock(lockFile)
assert.deepEqual(vulnerable(before, advisories).map((c) => c.location), ['node_modules/acorn-cup', 'node_modules/other'])
const pairs = ['acorn-cup', 'other'].map((at) =>
  ['smoke/grove', 'package-lock.json', 'npm-v3', 'acorn-cup', '1.0.0', `node_modules/${at}`, 'GHSA-0000-0000-0001'])
const head = ['repo', 'lockfile', 'lock_kind', 'package', 'version', 'path', 'advisory']
const listed = put('data/pairs_open.tsv', [head, ...pairs].map((cells) => cells.join('\t')).join('\n'))
assert.deepEqual(agreement(path.join(folder, 'data/repos'), listed, advisories),
  { listed: 2, found: 2, missed: [], extra: [] })

// Version 1 has the same locations, and a change of format alone changes no entry.
const old = readLock(put('old.json', { lockfileVersion: 1, dependencies: {
  'acorn-cup': { ...entry('acorn-cup', '1.2.0'), dependencies: undefined },
  oak: {
    ...entry('oak', '2.0.0'),
    requires: { 'acorn-cup': '^1.0.0' },
    dependencies: { 'acorn-cup': entry('acorn-cup', '1.0.0') },
  },
} }))
assert.deepEqual(old.copies.map((c) => c.location),
  ['node_modules/acorn-cup', 'node_modules/oak', 'node_modules/oak/node_modules/acorn-cup'])
const change = compare(old, before, advisories)
// What was nested is now elsewhere at the same version: moved, not fixed.
assert.deepEqual([change.fixed, change.moved, change.downgrades, change.entries_changed, change.format], [0, 1, 1, 3, '1->3'])

// The registry: packuments with its own address, advisories in bulk, no tarballs.
const registry = await startRegistry({ data: path.join(folder, 'data'), cache: path.join(folder, 'cache') })
const oak = await fetch(`${registry.url}/oak`)
const said = await oak.json()
assert.equal(said.versions['2.0.0'].dist.tarball, `${registry.url}/oak/-/oak-2.0.0.tgz`)
assert.equal((await fetch(`${registry.url}/oak`, { headers: { 'if-none-match': oak.headers.get('etag') } })).status, 304)
assert.equal((await fetch(said.versions['2.0.0'].dist.tarball)).status, 404)
assert.equal((await fetch(`${registry.url}/no-such-tree`)).status, 404, 'nothing is asked elsewhere')
const body = '{"acorn-cup":["1.0.0"],"oak":["2.0.0"]}'
const answer = await fetch(`${registry.url}/-/npm/v1/security/advisories/bulk`, { method: 'POST', body })
const bulk = await answer.json()
assert.deepEqual(Object.keys(bulk), ['acorn-cup'])
assert.equal(bulk['acorn-cup'][0].vulnerable_versions, '<1.1.0')
registry.close()

// And the whole comparison, with npm's side alone.
put('data/repos/smoke__grove/package-lock.json', lockOf({
  '': root,
  'node_modules/acorn-cup': entry('acorn-cup', '1.0.0'),
  'node_modules/oak': entry('oak', '2.0.0', { 'acorn-cup': '^1.0.0' }),
}))
fs.rmSync(listed)
const peers = path.join(path.dirname(fileURLToPath(import.meta.url)), 'peers.mjs')
const printed = execFileSync(process.execPath, [peers, '--no-codegenie'], { encoding: 'utf8',
  env: { ...process.env, CG_DATA: path.join(folder, 'data'), CG_PEERS_BUILD: path.join(folder, 'build') } })
console.log(printed)
assert.match(printed, /npm +copies 1 -> 0  fixed 1 .* entries 1  downgrades 0  accepted ci\+ls/)
