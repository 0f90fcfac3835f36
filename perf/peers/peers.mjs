// codegenie beside npm, on every package-lock of the real repositories. See README.md.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { agreement, compare, findLocks, lockIn, readLock } from './count.mjs'
import { compareBumps } from './bump.mjs'
import { Codegenie, Npm } from './legs.mjs'
import { startRegistry } from './registry.mjs'
import { printLock, printTotals, write } from './report.mjs'

const kUsage = `usage: perf/peers/run [FLAGS]
  --only TEXT     locks whose path holds TEXT; may be repeated
  --quick         one measured run of codegenie, not nine
  --no-npm        no run of npm audit fix; results kept from before are used
  --no-codegenie  only npm
  --fresh         runs npm again where results were kept
  --jobs N        so many locks at a time in the npm leg (1; more disturbs the seconds)
  --ask N         packages at most that are asked of npm's registry (0)
  --ask-for NAME  asks for that package, NAME@VERSION for its tarball; may be repeated
  --judge A B     counts what B changed of A, lets npm judge B, and nothing else
  --serve         only the registry, until it is ended
  --bun           also one bump in three projects, beside npm install and bun install
CG_DATA names the unpacked data, CG_CODEGENIE the program to measure.`
const kSwitches = ['--quick', '--no-npm', '--no-codegenie', '--fresh', '--serve', '--bun', '--help']
const kPort = 48731 // both caches know the registry by its address

function parse(argv) {
  const flags = { only: [], askFor: [], jobs: 1, ask: 0 }
  const next = () => argv.shift() ?? usage()
  while (argv.length) {
    const flag = argv.shift()
    if (flag === '--only') flags.only.push(next())
    else if (flag === '--ask-for') flags.askFor.push(next())
    else if (flag === '--jobs' || flag === '--ask') flags[flag.slice(2)] = Number(next())
    else if (flag === '--judge') flags.judge = [next(), next()]
    else if (kSwitches.includes(flag)) flags[flag.slice(2)] = true
    else usage()
  }
  if (!Number.isInteger(flags.jobs) || flags.jobs < 1 || !Number.isInteger(flags.ask) || flags.ask < 0) usage()
  return flags
}

function usage() {
  console.error(kUsage)
  process.exit(2)
}

const output = (program, ...args) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/// Counts and judgement of one edited folder.
async function judge({ before, after, npm, advisories }) {
  const change = compare(readLock(lockIn(before)), readLock(lockIn(after)), advisories)
  return { ...change, accepts: npm ? await npm.judge(after) : undefined }
}

/// Works through `items`, so many at a time, in order.
async function each(items, jobs, work) {
  const queue = [...items]
  await Promise.all(Array.from({ length: jobs }, async () => {
    while (queue.length) await work(queue.shift())
  }))
}

async function main() {
  const flags = parse(process.argv.slice(2))
  if (flags.help) return console.log(kUsage)
  const data = process.env.CG_DATA
  if (!data || !fs.existsSync(path.join(data, 'osv-npm.jsonl'))) {
    throw new Error('CG_DATA does not name the unpacked data')
  }
  const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
  const build = process.env.CG_PEERS_BUILD ?? path.join(root, 'build/peers')
  fs.mkdirSync(path.join(build, 'npm-results'), { recursive: true })

  const { ask, askFor } = flags
  const registry = await startRegistry({ data, cache: path.join(build, 'cache'), port: kPort, ask, askFor })
  if (flags.serve) return console.log(registry.url)
  try {
    const npm = new Npm({ build, registry: registry.url, version: output('npm', '--version') })
    if (flags.judge) {
      const [before, after] = flags.judge.map((folder) => path.resolve(folder))
      const verdict = await judge({ before, after, npm, advisories: registry.advisories })
      console.log(JSON.stringify(verdict, null, 1))
      process.exitCode = verdict.accepts.ci && verdict.accepts.ls && !verdict.downgrades ? 0 : 1
      return
    }
    await compareAll({ flags, data, build, registry, npm })
  } finally {
    registry.close()
  }
}

async function compareAll({ flags, data, build, registry, npm }) {
  const repos = path.join(data, 'repos')
  const { advisories } = registry
  const load = os.loadavg().map((l) => l.toFixed(2)).join(' ')
  console.log(`node ${process.version}  npm ${npm.version}  ${os.cpus().length} cores  load ${load}`)
  const list = path.join(data, 'pairs_open.tsv')
  if (fs.existsSync(list)) {
    const a = agreement(repos, list, advisories)
    const [missed, extra] = [a.missed.length, a.extra.length]
    console.log(`scanner      ${a.found} pairs found, ${a.listed} listed, ${missed} missed, ${extra} extra`)
    if (missed || extra) throw new Error('the scanner does not agree with pairs_open.tsv')
  }

  const codegenie = new Codegenie({ binary: process.env.CG_CODEGENIE ?? 'codegenie', build, registry: registry.url })
  const absent = flags['no-codegenie'] ? 'not asked for' : await codegenie.prepare(path.join(data, 'osv-npm.jsonl'))
  if (absent) console.log(`codegenie    ${absent}`)

  const size = (name) => fs.statSync(path.join(data, name), { throwIfNoEntry: false })?.size
  const digestOfData = ['osv-npm.jsonl', 'registry.jsonl'].map(size).join()
  const rows = findLocks(repos).map((file) => ({ lock: path.relative(repos, file), project: path.dirname(file) }))
    .filter((row) => !flags.only.length || flags.only.some((text) => row.lock.includes(text)))
  for (const row of rows) row.work = path.join(build, 'work', path.dirname(row.lock).replaceAll('/', '+'))

  const repeats = flags.quick ? 1 : 9
  await each(rows, flags.jobs, async (row) => {
    if (flags['no-npm'] && !npm.has(row.project, digestOfData)) return
    row.npm = await npm.fix(row.project, row.work, digestOfData, flags.fresh)
    const { accepts } = row.npm // kept with the result
    const after = path.join(row.work, 'npm')
    Object.assign(row.npm, await judge({ before: row.project, after, advisories, npm: null }), { accepts })
    if (absent) printLock(row)
  })
  if (!absent) {
    await each(rows, 1, async (row) => {
      row.ours = await codegenie.fix(row.project, row.work, repeats)
      const after = path.join(row.work, 'codegenie')
      Object.assign(row.ours, await judge({ before: row.project, after, advisories, npm }))
      printLock(row)
    })
  }
  if (flags.bun) {
    await compareBumps({ build, registry, npm, codegenie: absent ? null : codegenie, rows, repeats })
  }
  printTotals(rows, absent)
  const { recorded, kept, locks, asked, lacking } = registry.stats
  console.log(`registry     ${recorded} answers recorded, ${kept.size} names kept from asking, ${locks.size} names from locks,` +
    ` ${asked.length} asked now, ${lacking.size} lacking`)
  if (lacking.size) console.log(`             lacking: ${[...lacking].slice(0, 20).join(' ')}${lacking.size > 20 ? ' …' : ''}`)
  const from = { locks: [...locks], lacking: [...lacking], asked }
  write(build, rows, { npm: npm.version, node: process.version, absent, registry: from })
}

main().catch((error) => {
  console.error(`perf/peers: ${error.message}`)
  process.exit(1)
})
