// One bump: the same change of one direct dependency by npm, bun and codegenie. bun cannot
// write a package-lock, so only its time is of interest here; it is the bar for resolving.
import fs from 'node:fs'
import path from 'node:path'
import { copyProject, measured } from './legs.mjs'
import { readLock, lockIn, vulnerable } from './count.mjs'
import { affects, semver } from './advisories.mjs'
import { bar } from './report.mjs'

const kProjects = 3

/// A direct dependency with an advisory, and the lowest later release within its caret
/// that no advisory holds for. The first by name, so that nobody chooses.
async function pickBump(project, registry) {
  const lock = readLock(lockIn(project))
  if (lock.flat) return null // bun reads no version 1
  const direct = new Set(Object.keys({ ...lock.entries[''].dependencies, ...lock.entries[''].devDependencies }))
  for (const copy of vulnerable(lock, registry.advisories).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (copy.location !== `node_modules/${copy.name}` || !direct.has(copy.name)) continue
    const text = await registry.packument(copy.name)
    const versions = Object.keys(JSON.parse(text ?? '{"versions":{}}').versions).sort(semver.compareLoose)
    const isBad = (v) => registry.advisories.get(copy.name).some((a) => affects(a, v))
    const to = versions.find((v) => semver.gt(v, copy.version) && semver.satisfies(v, `^${copy.version}`) && !isBad(v))
    if (to) return { name: copy.name, from: copy.version, to, id: copy.ids[0] }
  }
  return null
}

/// bun's program, fetched by npm once; its platform package holds it, so no script is run.
async function findBun(build) {
  const at = path.join(build, 'bun')
  const program = path.join(at, 'node_modules/@oven/bun-linux-x64/bin/bun')
  if (!fs.existsSync(program)) {
    fs.mkdirSync(at, { recursive: true })
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund']
    const got = await measured(['npm', 'install', '--prefix', at, ...quiet, 'bun'], { cwd: at })
    if (got.exit !== 0 || !fs.existsSync(program)) return null
  }
  return program
}

/// Runs one command so many times, each on the files as they were, after one to warm up.
/// null where it fails.
async function repeat(repeats, folder, names, run) {
  const kept = names.map((name) => [path.join(folder, name), fs.readFileSync(path.join(folder, name))])
  const costs = []
  for (let i = 0; i <= repeats; ++i) {
    const cost = await run()
    if (cost.exit !== 0) return { failed: cost.text.split('\n').slice(0, 3).join(' | ').slice(0, 300) }
    if (i) costs.push(cost.cpu)
    for (const [file, bytes] of kept) fs.writeFileSync(file, bytes)
  }
  costs.sort((a, b) => a - b)
  return { median: costs[costs.length >> 1], min: costs[0] }
}

/// bun's turn: its lock is made first, then the bump is written and only that is timed.
async function bunTurn({ bun, build, registry, project, folder, bump, repeats }) {
  copyProject(project, folder)
  const manifest = path.join(folder, 'package.json')
  const before = fs.readFileSync(manifest)
  const env = { BUN_CONFIG_REGISTRY: registry.url, NPM_CONFIG_REGISTRY: registry.url,
    BUN_INSTALL_CACHE_DIR: path.join(build, 'bun-cache'), HOME: path.join(build, 'bun') }
  const install = () => measured([bun, 'install', '--lockfile-only', '--ignore-scripts'], { cwd: folder, env })
  const made = await install()
  if (made.exit !== 0 || !fs.existsSync(path.join(folder, 'bun.lock'))) {
    return { failed: made.text.split('\n').filter((l) => l.startsWith('error')).slice(0, 2).join(' | ') || 'no bun.lock' }
  }
  const json = JSON.parse(before.toString('utf8').replace(/^\uFEFF/, ''))
  for (const kind of ['dependencies', 'devDependencies']) {
    if (json[kind]?.[bump.name]) json[kind][bump.name] = `^${bump.to}`
  }
  fs.writeFileSync(manifest, JSON.stringify(json, null, 2))
  return repeat(repeats, folder, ['package.json', 'bun.lock'], install)
}

function words(side) {
  if (!side) return 'absent'
  return side.median ? `${(side.median * 1e3).toFixed(1)} ms` : `failed (${side.failed})`
}

/// A row against one peer, over the projects where both made the change.
function row(number, what, other, bumps, key, kind, limit) {
  const ratios = bumps.filter((b) => b.ours?.median && b[key]?.median)
    .map((b) => (kind === '<=' ? b.ours.median / b[key].median : b[key].median / b.ours.median)).sort((a, b) => a - b)
  if (!ratios.length) {
    console.log(`row ${number.padEnd(4)}${what.padEnd(50)}not measured: not both of codegenie and ${other} made a bump`)
    return
  }
  const middle = ratios[ratios.length >> 1]
  const met = kind === '<=' ? middle <= limit : middle >= limit
  bar(number, what, `ratio ${middle.toFixed(2)} median of ${ratios.length} projects`, `${kind} ${limit}`, met)
}

export async function compareBumps({ build, registry, npm, codegenie, rows, repeats }) {
  const bun = await findBun(build)
  console.log(`bun          ${bun ? (await measured([bun, '--version'], { cwd: build })).text : 'not here'}`)
  const bumps = []
  for (const { lock, project, work } of rows) {
    if (bumps.filter((b) => !bun || b.bun.median).length >= kProjects) break
    const bump = await pickBump(project, registry)
    if (!bump) continue
    const folder = path.join(work, 'bump')
    bump.bun = bun ? await bunTurn({ bun, build, registry, project, folder, bump, repeats }) : null
    copyProject(project, folder)
    const args = ['install', `${bump.name}@${bump.to}`, '--package-lock-only', '--no-audit', '--prefer-offline']
    const files = ['package.json', path.basename(lockIn(folder))]
    bump.npm = await repeat(Math.min(repeats, 3), folder, files, () => npm.run(folder, args))
    bump.ours = codegenie ? await codegenie.fixOne(project, work, bump.id, repeats) : null
    bumps.push(bump)
    console.log(`${lock}  ${bump.name} ${bump.from} -> ${bump.to}  CPU: codegenie ${words(bump.ours)}` +
      `  npm install ${words(bump.npm)}  bun ${words(bump.bun)}`)
  }
  row('3', 'one bump, bun install --lockfile-only, CPU', 'bun', bumps, 'bun', '<=', 3)
  row('21', 'one advisory from scan to edits, npm install, CPU', 'npm', bumps, 'npm', '>=', 20)
  return bumps
}
