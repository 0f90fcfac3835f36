// The two legs: npm and codegenie on one folder, each on a copy of its own, and npm as judge.
import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { findLocks, kLockNames, lockIn, readLock } from './count.mjs'

const kMeasure = path.join(path.dirname(fileURLToPath(import.meta.url)), 'measure.py')
const kLimit = 300 // seconds, for every child

/// Runs a program and says what it took: { exit, late, wall, cpu, rss, text }.
export function measured(command, { cwd, env = {} }) {
  return new Promise((resolve, reject) => {
    const child = spawn(kMeasure, [String(kLimit), ...command],
      { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
    const out = ['', '', '', '']
    for (const i of [1, 2, 3]) child.stdio[i].on('data', (d) => { if (out[i].length < 1 << 20) out[i] += d })
    child.on('error', reject)
    child.on('close', () => {
      try {
        resolve({ ...JSON.parse(out[3]), text: (out[2] + out[1]).trim() })
      } catch {
        reject(new Error(`${command[0]} could not be measured: ${out[2]}`))
      }
    })
  })
}

/// A lock's project: its folder without projects that have locks of their own, unless it
/// names them as workspaces.
export function copyProject(from, to) {
  const own = lockIn(from)
  const { entries } = readLock(own)
  const foreign = findLocks(from).map((file) => path.dirname(file))
    .filter((folder) => folder !== from && !(path.relative(from, folder) in entries))
  fs.rmSync(to, { recursive: true, force: true })
  fs.cpSync(from, to, { recursive: true, filter: (file) => !foreign.includes(file) })
  makeWritable(to)
}

/// The originals may be read-only, and copies keep that.
function makeWritable(folder) {
  for (const item of fs.readdirSync(folder, { withFileTypes: true, recursive: true })) {
    fs.chmodSync(path.join(item.parentPath ?? item.path, item.name), item.isDirectory() ? 0o755 : 0o644)
  }
  fs.chmodSync(folder, 0o755)
}

/// Names of the files that differ between two projects, of those that a fixer may write.
function editedFiles(before, after) {
  const names = fs.readdirSync(after, { recursive: true })
    .filter((name) => [...kLockNames, 'package.json'].includes(path.basename(name)))
  return names.filter((name) => {
    const was = path.join(before, name)
    return !fs.existsSync(was) || !fs.readFileSync(was).equals(fs.readFileSync(path.join(after, name)))
  })
}

/// The first few lines of what npm complains about.
function complaints(text, pattern) {
  return text.split('\n').filter((line) => pattern.test(line)).slice(0, 6).join(' | ').slice(0, 600)
}

/// npm as it is run here: no settings of whoever runs this, no network but the loopback.
export class Npm {
  constructor({ build, registry, version }) {
    this.version = version
    this.build = build
    this.settings = path.join(build, 'npmrc')
    fs.writeFileSync(this.settings, '')
    this.common = ['--ignore-scripts', '--no-fund', '--no-update-notifier', '--loglevel=error', '--fetch-retries=0',
      '--registry', registry, '--cache', path.join(build, 'npm-cache'), '--userconfig', this.settings]
  }

  run(folder, args) {
    return measured(['npm', ...args, ...this.common], { cwd: folder, env: { CI: '1', NO_COLOR: '1' } })
  }

  /// Whether npm accepts a lock. `npm ls` reads the lock and not node_modules, which is not
  /// there; `npm ci` compares lock and manifests, and would install.
  async judge(folder) {
    const ci = await this.run(folder, ['ci', '--dry-run', '--no-audit', '--prefer-offline'])
    const ls = await this.run(folder, ['ls', '--all', '--package-lock-only'])
    const why = (r) => (r.exit === 0 ? '' : complaints(r.text, /^npm error (code|missing|invalid|extraneous)/i))
    return { ci: ci.exit === 0, ls: ls.exit === 0, ci_says: why(ci), ls_says: why(ls) }
  }

  /// Where the result for a project is kept.
  kept(project, digestOfData) {
    return path.join(this.build, 'npm-results', digest(project, [this.version, process.version, digestOfData]))
  }

  has(project, digestOfData) {
    return fs.existsSync(path.join(this.kept(project, digestOfData), 'result.json'))
  }

  /// `npm audit fix`: once to fill the cache, then measured on a fresh copy. The result is
  /// kept, because it depends on nothing of ours and takes most of the time.
  async fix(project, work, digestOfData, fresh) {
    const kept = this.kept(project, digestOfData)
    const to = path.join(work, 'npm')
    if (!fresh && this.has(project, digestOfData)) {
      copyProject(project, to)
      fs.cpSync(path.join(kept, 'files'), to, { recursive: true })
      return JSON.parse(fs.readFileSync(path.join(kept, 'result.json')))
    }
    const args = ['audit', 'fix', '--package-lock-only']
    copyProject(project, to)
    const original = await this.judge(to)
    await this.run(to, args)
    copyProject(project, to)
    const { text, ...cost } = await this.run(to, [...args, '--prefer-offline'])
    // 1 also says that something is left to fix; a failure names its code.
    const code = /npm error code (\S+)/.exec(text)?.[1] ?? (cost.exit === 0 || cost.exit === 1 ? '' : `exit ${cost.exit}`)
    const failed = cost.late ? 'time limit' : code
    const says = failed ? complaints(text, /^npm error/) : ''
    const result = { cost, failed, says, original, accepts: await this.judge(to) }
    fs.rmSync(kept, { recursive: true, force: true })
    fs.mkdirSync(path.join(kept, 'files'), { recursive: true })
    for (const name of editedFiles(project, to)) {
      fs.cpSync(path.join(to, name), path.join(kept, 'files', name))
    }
    fs.writeFileSync(path.join(kept, 'result.json'), JSON.stringify(result, null, 1))
    return result
  }
}

/// What a result of npm depends on: lock, manifests, and what else is named.
function digest(project, more) {
  const hash = crypto.createHash('sha256').update(more.join('\n'))
  for (const name of fs.readdirSync(project, { recursive: true }).sort()) {
    if (![...kLockNames, 'package.json', '.npmrc'].includes(path.basename(name))) continue
    hash.update(`\n${name}\n`).update(fs.readFileSync(path.join(project, name)))
  }
  return hash.digest('hex').slice(0, 32)
}

/// Exit codes of codegenie that are answers: done, findings, not applicable, not fixed, for a human.
const kOutcomes = [0, 1, 3, 5, 7]

/// codegenie with a workspace of its own, whose index is made of the same advisories.
export class Codegenie {
  constructor({ binary, build, registry }) {
    this.binary = path.resolve(binary)
    this.registry = registry
    this.env = { CODEGENIE_HOME: path.join(build, 'home'), NO_COLOR: '1', CI: '' }
  }

  run(args, cwd) {
    return measured([this.binary, ...args], { cwd, env: this.env })
  }

  /// Empty, or why there is nothing to measure.
  async prepare(advisories) {
    if (!fs.existsSync(this.binary)) return `no program ${path.basename(this.binary)}`
    if ((await this.run(['remediate', '--help'])).exit !== 0) return 'absent: no command remediate'
    if (!fs.existsSync(this.env.CODEGENIE_HOME)) {
      const made = await this.run(['init'])
      if (made.exit !== 0) return `init: ${made.text}`
    }
    const filled = await this.run(['vuln-index', 'refresh', '--from', advisories])
    return filled.exit === 0 ? '' : `vuln-index refresh: ${filled.text}`
  }

  /// A repository as the operator would have it, and what runs codegenie on it. Every run has
  /// an empty folder for its edits; the first fills the cache, the measured ones are offline.
  async runs(project, work, what, repeats) {
    const repo = path.join(work, 'repo')
    const edits = path.join(work, 'edits')
    copyProject(project, repo)
    const git = (...args) => measured(['git', '-c', 'user.name=operator', '-c', 'user.email=operator@example.org',
      '-c', 'core.hooksPath=/dev/null', '-c', 'commit.gpgSign=false', ...args], { cwd: repo })
    await git('init', '-q')
    await git('add', '-A', '-f')
    await git('commit', '-q', '-m', 'as found')
    const runs = []
    for (let i = 0; i <= repeats; ++i) {
      fs.rmSync(edits, { recursive: true, force: true })
      runs.push(await this.run(['remediate', repo, ...what, '--max-tier', 'recipe', '--plan-only', '--worktree', edits,
        '--registry', this.registry, ...(i ? ['--offline'] : [])]))
    }
    const last = runs.at(-1)
    const failed = last.late ? 'time limit' : kOutcomes.includes(last.exit) ? '' : `exit ${last.exit}`
    const middle = (key) => runs.slice(1).map((c) => c[key]).sort((a, b) => a - b)[repeats >> 1]
    return { edits, failed, says: failed ? last.text.slice(0, 600) : '',
      cost: { exit: last.exit, wall: middle('wall'), cpu: middle('cpu'), rss: middle('rss') } }
  }

  /// Everything that can be fixed; the edits are laid over a copy for the judges.
  async fix(project, work, repeats) {
    const { edits, ...result } = await this.runs(project, work, ['--all'], repeats)
    const to = path.join(work, 'codegenie')
    copyProject(project, to)
    if (fs.existsSync(edits)) {
      fs.cpSync(edits, to, { recursive: true, filter: (file) => path.basename(file) !== '.git' })
    }
    return result
  }

  /// One advisory, as bump.mjs wants it.
  async fixOne(project, work, id, repeats) {
    const { cost, failed, says } = await this.runs(project, work, ['--cve', id], repeats)
    return failed ? { failed: says.split('\n')[0] } : { median: cost.cpu }
  }
}
