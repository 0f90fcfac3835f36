// A registry on the loopback address, for npm and codegenie alike.
//
// Packuments come from a recording, so that a comparison can be repeated; advisories from the
// file that our own index is made of, so that both sides know the same. Nothing here installs
// anything; yet npm opens the tarball of a package that bundles others, to see which.
//
// A package that the recording lacks is answered, in this order, from what was asked before,
// from the lockfiles themselves (the locked versions only: enough to keep what is there), and
// from the registry that npm is configured with. That last is done by npm's own client, for so
// many names and tarballs at most: a lookup for a tree we work on is fair use, copying a
// registry is not.
import crypto from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import zlib from 'node:zlib'
import { execFileSync } from 'node:child_process'
import { bulkForm, npmRequire, readAdvisories } from './advisories.mjs'
import { findLocks, readLock } from './count.mjs'

const kRecordedHost = 'https://registry.example/'
const kMaxBody = 16 << 20

/// name -> [offset, length] of its line; the file itself stays on disk.
function indexRecording(file) {
  const index = new Map()
  if (!fs.existsSync(file)) return index
  const bytes = fs.readFileSync(file)
  for (let at = 0; at < bytes.length;) {
    let end = bytes.indexOf(10, at)
    if (end < 0) end = bytes.length
    const name = /^\{"name":"([^"]+)"/.exec(bytes.toString('utf8', at, Math.min(end, at + 400)))
    const key = name ? name[1] : end > at ? JSON.parse(bytes.toString('utf8', at, end)).name : null
    if (key) index.set(key, [at, end - at])
    at = end + 1
  }
  return index
}

/// Packuments made of what the lockfiles say, for names that are in `wanted` of nothing else.
function packumentsOfLocks(repos, recorded) {
  const made = new Map()
  for (const file of findLocks(repos)) {
    for (const { name, version, entry } of readLock(file).copies) {
      if (recorded.has(name)) continue
      if (!made.has(name)) made.set(name, { name, 'dist-tags': {}, versions: {} })
      const { dependencies, requires, optionalDependencies, peerDependencies, peerDependenciesMeta,
        engines, os, cpu, bin, integrity } = entry
      const tarball = `${kRecordedHost}${name}/-/${name.split('/').pop()}-${version}.tgz`
      // Version 1 says "requires" and has installed copies beneath "dependencies".
      const needs = requires ?? (entry.flat ? {} : dependencies)
      const manifest = { name, version, dependencies: needs === true ? {} : needs, optionalDependencies,
        peerDependencies, peerDependenciesMeta, engines, os, cpu, bin, dist: { integrity, tarball } }
      const known = made.get(name).versions
      if (!known[version] || entry.flat !== true) known[version] = manifest
      made.get(name)['dist-tags'].latest = Object.keys(known).pop()
    }
  }
  return made
}

/// Asks the configured registry, through npm's own client, and keeps every answer.
class Upstream {
  constructor(folder, budget) {
    this.folder = folder
    this.left = budget
    this.asked = []
    fs.mkdirSync(folder, { recursive: true })
  }

  file(name) {
    return path.join(this.folder, `${encodeURIComponent(name)}.json`)
  }

  kept(name) {
    return fs.existsSync(this.file(name)) ? fs.readFileSync(this.file(name), 'utf8') : null
  }

  /// What `get` brings from the configured registry, "null" if it has no such thing, or null if
  /// there was no answer or none may be asked for; only the first two are kept.
  async ask(what, file, get) {
    if (fs.existsSync(file)) return fs.readFileSync(file)
    if (this.left <= 0) return null
    this.left -= 1
    this.asked.push(what)
    // Learned from npm each time and never written down.
    this.registry ??= execFileSync('npm', ['config', 'get', 'registry'],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    let answer = Buffer.from('null')
    try {
      answer = await get(npmRequire('pacote'), { registry: this.registry, fullMetadata: false })
    } catch (error) {
      if (error.code !== 'E404' && error.code !== 'ETARGET') return null
    }
    fs.writeFileSync(file, answer)
    return answer
  }

  packument(name) {
    return this.ask(name, this.file(name), async (pacote, options) => {
      const pack = await pacote.packument(name, options)
      for (const manifest of Object.values(pack.versions)) {
        manifest.dist.tarball = manifest.dist.tarball?.replace(/^https?:\/\/[^/]+\//, kRecordedHost)
      }
      return Buffer.from(JSON.stringify(pack))
    })
  }

  tarball(spec) {
    return this.ask(spec, path.join(this.folder, `${encodeURIComponent(spec)}.tgz`), (pacote, options) => pacote.tarball(spec, options))
  }
}

function bodyOf(request) {
  return new Promise((resolve, reject) => {
    const parts = []
    let size = 0
    request.on('data', (part) => {
      size += part.length
      if (size > kMaxBody) request.destroy(new Error('body too large'))
      parts.push(part)
    })
    request.on('error', reject)
    request.on('end', () => {
      const all = Buffer.concat(parts)
      resolve(request.headers['content-encoding'] === 'gzip' ? zlib.gunzipSync(all) : all)
    })
  })
}

/// Starts to listen. `port` is a wish: caches are keyed by address, so the same one each time
/// keeps them useful, but another will do.
export async function startRegistry({ data, cache, port = 0, ask = 0, askFor = [] }) {
  const recording = path.join(data, 'registry.jsonl')
  const index = indexRecording(recording)
  const file = index.size ? fs.openSync(recording, 'r') : -1
  const fromLocks = packumentsOfLocks(path.join(data, 'repos'), index)
  const advisories = readAdvisories(path.join(data, 'osv-npm.jsonl'))
  const upstream = new Upstream(cache, ask + askFor.length)
  const stats = { recorded: 0, kept: new Set(), locks: new Set(), asked: upstream.asked, lacking: new Set() }
  for (const what of askFor) await (what.lastIndexOf('@') > 0 ? upstream.tarball(what) : upstream.packument(what))

  const packument = async (name) => {
    const place = index.get(name)
    if (place) {
      const line = Buffer.alloc(place[1])
      fs.readSync(file, line, 0, place[1], place[0])
      stats.recorded += 1
      return line.toString('utf8')
    }
    const kept = upstream.kept(name)
    if (kept !== null) {
      stats.kept.add(name)
      return kept === 'null' ? null : kept
    }
    if (fromLocks.has(name)) {
      stats.locks.add(name)
      return JSON.stringify(fromLocks.get(name))
    }
    const answer = (await upstream.packument(name))?.toString('utf8')
    if (answer && answer !== 'null') return answer
    stats.lacking.add(name)
    return null
  }

  const send = (response, status, text, type = 'application/json', more = {}) =>
    response.writeHead(status, { 'content-type': type, ...more }).end(text)

  const answer = async (request, response) => {
    const url = new URL(request.url, 'http://127.0.0.1')
    if (request.method === 'POST' && url.pathname === '/-/npm/v1/security/advisories/bulk') {
      const found = {}
      for (const name of Object.keys(JSON.parse((await bodyOf(request)).toString('utf8')))) {
        const known = advisories.get(name)
        if (known) found[name] = known.map(bulkForm)
      }
      return send(response, 200, JSON.stringify(found))
    }
    if (request.method !== 'GET') return send(response, 405, '{"error":"method not allowed"}')
    const name = decodeURIComponent(url.pathname.slice(1))
    const tarball = /^((?:@[^/]+\/)?([^/]+))\/-\/(.+)\.tgz$/.exec(name)
    if (tarball && tarball[3].startsWith(`${tarball[2]}-`)) {
      const spec = `${tarball[1]}@${tarball[3].slice(tarball[2].length + 1)}`
      const bytes = await upstream.tarball(spec)
      if (bytes && bytes.length > 4) return send(response, 200, bytes, 'application/octet-stream')
      stats.lacking.add(spec)
      return send(response, 404, '{"error":"not found"}')
    }
    if (!/^(@[^/]+\/)?[^/@][^/]*$/.test(name)) return send(response, 404, '{"error":"not found"}')
    const text = await packument(name)
    if (text === null) return send(response, 404, '{"error":"not found"}')
    const here = text.replaceAll(kRecordedHost, `http://127.0.0.1:${server.address().port}/`)
    const etag = `"${crypto.createHash('sha256').update(here).digest('hex').slice(0, 32)}"`
    // A packument changes once it was asked for; who keeps it has to ask whether it still holds.
    const headers = { etag, 'cache-control': 'no-cache' }
    if (request.headers['if-none-match'] === etag) return response.writeHead(304, headers).end()
    const short = (request.headers.accept ?? '').includes('application/vnd.npm.install-v1+json')
    return send(response, 200, here, short ? 'application/vnd.npm.install-v1+json' : 'application/json', headers)
  }

  const server = http.createServer((request, response) => {
    answer(request, response).catch((error) => send(response, 500, JSON.stringify({ error: error.message })))
  })
  const listen = (at) => new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(at, '127.0.0.1', () => resolve(server.removeListener('error', reject)))
  })
  await listen(port).catch(() => listen(0))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    advisories,
    stats,
    names: [...index.keys()],
    packument,
    close: () => { server.closeAllConnections(); server.close() },
  }
}
