// Advisories in OSV form, as both sides of the comparison need them.
//
// The registry hands them to npm as ranges; the scanner walks their events itself. The two
// evaluations share nothing but the reading of the file, so each checks the other.
import fs from 'node:fs'
import path from 'node:path'
import { createRequire } from 'node:module'
import { execFileSync } from 'node:child_process'

/// The folder npm is installed in; its own semver and pacote are taken from there.
export function npmFolder() {
  const bin = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim()
  return path.resolve(path.dirname(fs.realpathSync(bin)), '..')
}

export const npmRequire = createRequire(path.join(npmFolder(), 'package.json'))
export const semver = npmRequire('semver')
const kLoose = { loose: true, includePrerelease: true }

/// A version as advisories write it: "1.2", "8.0.0-rc0", "0". null if it is none.
export function bound(text) {
  const direct = semver.parse(text, kLoose)
  if (direct) return direct
  const padded = /^\d+(\.\d+)?$/.test(text) ? text + (text.includes('.') ? '.0' : '.0.0') : null
  return padded && semver.parse(padded, kLoose)
}

/// What one affected entry says: event lists in order of version, and exact versions.
function readAffected(entry) {
  const ranges = []
  for (const range of entry.ranges ?? []) {
    if (range.type === 'GIT') continue
    const events = []
    for (const event of range.events ?? []) {
      for (const kind of ['introduced', 'fixed', 'last_affected']) {
        if (event[kind] === undefined) continue
        // "0" is older than everything, 0.0.0-0 included.
        const at = event[kind] === '0' ? null : bound(event[kind])
        if (at || event[kind] === '0') events.push({ kind, at })
      }
    }
    events.sort((a, b) => (a.at && b.at ? semver.compare(a.at, b.at) : (a.at ? 1 : 0) - (b.at ? 1 : 0)))
    ranges.push(events)
  }
  return { ranges, versions: entry.versions ?? [] }
}

/// Map from package name to its advisories. Withdrawn ones and malware are left out: neither
/// can be fixed by moving to another version.
export function readAdvisories(file) {
  const byName = new Map()
  for (const line of fs.readFileSync(file, 'utf8').split('\n')) {
    if (!line) continue
    const record = JSON.parse(line)
    if (record.withdrawn || record.id.startsWith('MAL-')) continue
    const names = new Map()
    for (const entry of record.affected ?? []) {
      if (entry.package?.ecosystem !== 'npm') continue
      const said = readAffected(entry)
      const known = names.get(entry.package.name)
      if (known) {
        known.ranges.push(...said.ranges)
        known.versions.push(...said.versions)
      } else {
        names.set(entry.package.name, said)
      }
    }
    for (const [name, said] of names) {
      const advisory = {
        id: record.id,
        title: record.summary ?? record.id,
        severity: (record.database_specific?.severity ?? 'high').toLowerCase(),
        cwe: record.database_specific?.cwe_ids ?? [],
        vector: record.severity?.find((s) => s.type === 'CVSS_V3')?.score ?? null,
        ...said,
      }
      if (!byName.has(name)) byName.set(name, [])
      byName.get(name).push(advisory)
    }
  }
  return byName
}

/// Whether an advisory holds for a version: the schema's own algorithm.
export function affects(advisory, version) {
  const v = semver.parse(version, kLoose)
  if (!v) return false
  if (advisory.versions.includes(version)) return true
  return advisory.ranges.some((events) => {
    let inside = false
    for (const { kind, at } of events) {
      const order = at ? semver.compare(at, v) : -1
      if (kind === 'introduced' && order <= 0) inside = true
      if (kind === 'fixed' && order <= 0) inside = false
      if (kind === 'last_affected' && order < 0) inside = false
    }
    return inside
  })
}

/// The same as a range that npm understands.
export function rangeText(advisory) {
  const parts = advisory.versions.filter((v) => semver.parse(v, kLoose)).map((v) => `=${v}`)
  for (const events of advisory.ranges) {
    let from = null
    for (const { kind, at } of events) {
      if (kind === 'introduced') from ??= at ? `>=${at.version} ` : ' '
      else if (from !== null) {
        parts.push(`${from}${kind === 'fixed' ? '<' : '<='}${at?.version ?? '0.0.0-0'}`.trim())
        from = null
      }
    }
    if (from !== null) parts.push(from.trim() || '*')
  }
  return parts.join(' || ') || '<0.0.0-0'
}

/// severity as npm's report spells it.
const kSeverity = { low: 'low', moderate: 'moderate', medium: 'moderate', high: 'high', critical: 'critical' }

/// One advisory in the form of the bulk endpoint.
export function bulkForm(advisory) {
  return {
    id: advisory.id,
    url: `https://github.com/advisories/${advisory.id}`,
    title: advisory.title,
    severity: kSeverity[advisory.severity] ?? 'high',
    vulnerable_versions: rangeText(advisory),
    cwe: advisory.cwe,
    cvss: { score: 0, vectorString: advisory.vector },
  }
}
