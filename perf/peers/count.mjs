// The neutral scanner: reads package-locks, counts vulnerable copies, and says what changed
// between two of them. It knows neither npm's tree code nor ours; versions are compared by the
// semver package that ships inside npm.
import fs from 'node:fs'
import path from 'node:path'
import { affects, semver } from './advisories.mjs'

export const kLockNames = ['npm-shrinkwrap.json', 'package-lock.json']

/// Every package-lock beneath a folder, in order of path.
export function findLocks(folder) {
  const found = []
  if (!fs.existsSync(folder)) return found
  for (const item of fs.readdirSync(folder, { withFileTypes: true })) {
    const at = path.join(folder, item.name)
    if (item.isDirectory()) found.push(...findLocks(at))
    else if (kLockNames.includes(item.name)) found.push(at)
  }
  return found.sort()
}

/// The lock that npm would read in a folder: a shrinkwrap goes first.
export function lockIn(folder) {
  return kLockNames.map((name) => path.join(folder, name)).find((file) => fs.existsSync(file))
}

const isVersion = (text) => typeof text === 'string' && semver.parse(text, { loose: true }) !== null

/// Entries of a version 1 tree under the locations that later versions give them.
function flatten(tree, above, into) {
  for (const [name, entry] of Object.entries(tree ?? {})) {
    const at = `${above}node_modules/${name}`
    const { dependencies, ...rest } = entry
    into[at] = { ...rest, flat: true }
    flatten(dependencies, `${at}/`, into)
  }
  return into
}

/// A copy is what a location installs from a registry. Links, workspaces and files are not:
/// their names are their own, and may collide with those of advisories.
function copyAt(location, entry) {
  if (!/(^|\/)node_modules\//.test(location) || entry.link) return null
  let name = entry.name ?? location.slice(location.lastIndexOf('node_modules/') + 13)
  let version = entry.version
  const alias = /^npm:(.+)@([^@]+)$/.exec(version ?? '')
  if (alias) [, name, version] = alias
  if (!isVersion(version) || /^file:/.test(entry.resolved ?? '')) return null
  return { location, name, version, entry }
}

/// { format, entries: location -> entry, copies }.
export function readLock(file) {
  const json = JSON.parse(fs.readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
  const format = json.lockfileVersion ?? 0
  const entries = json.packages ?? flatten(json.dependencies, '', {})
  const copies = Object.entries(entries).map(([at, entry]) => copyAt(at, entry)).filter(Boolean)
  return { format, flat: !json.packages, entries, copies }
}

/// [{location, name, version, ids}] for copies that some advisory holds for.
export function vulnerable(lock, advisories) {
  const found = []
  for (const { location, name, version } of lock.copies) {
    const ids = (advisories.get(name) ?? []).filter((a) => affects(a, version)).map((a) => a.id)
    if (ids.length) found.push({ location, name, version, ids })
  }
  return found
}

function sorted(value) {
  if (Array.isArray(value) || value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]))
}

/// An entry as text to compare. The host of `resolved` is left out, because a lock written
/// against the loopback registry names it. Between two formats only what both can say counts.
function essence(entry, common) {
  let { flat, resolved, ...rest } = entry
  if (common) rest = { version: rest.version, integrity: rest.integrity }
  else if (resolved) rest.resolved = resolved.replace(/^https?:\/\/[^/]+\//, '')
  return JSON.stringify(sorted(rest))
}

/// Entries added, removed or changed in any way.
function changedEntries(before, after) {
  const common = before.flat !== after.flat
  // Version 1 has no entries for the project, its workspaces and its links.
  const places = (lock) => (common ? lock.copies.map((c) => c.location) : Object.keys(lock.entries))
  let changed = 0
  for (const at of new Set([...places(before), ...places(after)])) {
    const [a, b] = [before.entries[at], after.entries[at]]
    if (!a || !b || essence(a, common) !== essence(b, common)) changed += 1
  }
  return changed
}

/// How many vulnerable copies merely moved: the same name@version left one place and turned up
/// at another. A tree that is laid out anew is not a fixed one.
function moves(gone, appeared) {
  const left = new Map()
  for (const c of gone) left.set(`${c.name}@${c.version}`, (left.get(`${c.name}@${c.version}`) ?? 0) + 1)
  let moved = 0
  for (const c of appeared) {
    const key = `${c.name}@${c.version}`
    if (!left.get(key)) continue
    left.set(key, left.get(key) - 1)
    moved += 1
  }
  return moved
}

/// What happened between two locks, in numbers, with the copies that are left.
export function compare(before, after, advisories) {
  const was = vulnerable(before, advisories)
  const is = vulnerable(after, advisories)
  const bad = new Set(is.map((c) => c.location))
  const worse = new Set(was.map((c) => c.location))
  const gone = was.filter((c) => !bad.has(c.location))
  const moved = moves(gone, is.filter((c) => !worse.has(c.location)))
  const known = new Set(was.map((c) => `${c.name}@${c.version}`))
  const now = new Map(after.copies.map((c) => [c.location, c]))
  const down = before.copies.filter((c) => {
    const next = now.get(c.location)
    return next && next.name === c.name && semver.lt(next.version, c.version, true)
  })
  const pairs = (list) => list.reduce((sum, c) => sum + c.ids.length, 0)
  return {
    copies_before: was.length,
    copies_after: is.length,
    pairs_before: pairs(was),
    pairs_after: pairs(is),
    fixed: gone.length - moved,
    moved,
    new_vulnerable: new Set(is.map((c) => `${c.name}@${c.version}`).filter((k) => !known.has(k))).size,
    entries_changed: changedEntries(before, after),
    downgrades: down.length,
    downgraded: down.map((c) => `${c.location} ${c.version} -> ${now.get(c.location).version}`),
    format: before.format === after.format ? `${before.format}` : `${before.format}->${after.format}`,
    left: is,
  }
}

/// How the scanner's pairs on the original locks agree with an independent list.
export function agreement(repos, listFile, advisories) {
  const listed = new Map()
  const [head, ...lines] = fs.readFileSync(listFile, 'utf8').trim().split('\n').map((l) => l.split('\t'))
  const at = Object.fromEntries(head.map((name, i) => [name, i]))
  for (const cells of lines) {
    if (!cells[at.lock_kind].startsWith('npm-')) continue
    const pair = [cells[at.repo].replace('/', '__') + '/' + cells[at.lockfile], cells[at.path],
      cells[at.package], cells[at.version], cells[at.advisory]].join(' ')
    listed.set(pair, true)
  }
  const found = new Set()
  for (const file of findLocks(repos)) {
    for (const c of vulnerable(readLock(file), advisories)) {
      for (const id of c.ids) found.add([path.relative(repos, file), c.location, c.name, c.version, id].join(' '))
    }
  }
  return {
    listed: listed.size,
    found: found.size,
    missed: [...listed.keys()].filter((p) => !found.has(p)),
    extra: [...found].filter((p) => !listed.has(p)),
  }
}
