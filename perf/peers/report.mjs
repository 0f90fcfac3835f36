// What the comparison prints, and the two files it leaves for programs.
import fs from 'node:fs'
import path from 'node:path'

const yes = (accepts) => (accepts ? `${accepts.ci ? 'ci' : '--'}+${accepts.ls ? 'ls' : '--'}` : '?')
const sum = (list, key) => list.reduce((total, item) => total + item[key], 0)
const perFix = (list) => sum(list, 'entries_changed') / Math.max(1, sum(list, 'fixed'))
const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1]
const count = (list, test) => list.filter(test).length

function line(who, leg) {
  const { cost } = leg
  return [
    `  ${who.padEnd(9)}`,
    `copies ${leg.copies_before} -> ${leg.copies_after}`,
    `fixed ${leg.fixed}`,
    ...(leg.moved ? [`moved ${leg.moved}`] : []),
    `pairs ${leg.pairs_before} -> ${leg.pairs_after}`,
    `new ${leg.new_vulnerable}`,
    `entries ${leg.entries_changed}`,
    `downgrades ${leg.downgrades}`,
    `accepted ${yes(leg.accepts)}`,
    `${cost.wall.toFixed(3)} s`,
    `CPU ${cost.cpu.toFixed(3)} s`,
    `${Math.round(cost.rss / 1024)} MiB`,
    `format ${leg.format}`,
    ...(leg.failed ? [`FAILED ${leg.failed}: ${leg.says.slice(0, 200)}`] : []),
  ].join('  ')
}

/// Both legs of one lock, as far as they were run.
export function printLock(row) {
  console.log(`${row.lock}  original accepted ${yes(row.npm?.original)}`)
  if (row.npm) console.log(line('npm', row.npm))
  if (row.ours) console.log(line('codegenie', row.ours))
}

/// One bar in the form that the other programs of perf/ have.
export function bar(row, what, facts, words, met) {
  console.log(`row ${row.padEnd(4)}${what.padEnd(50)}${facts}  bar ${words}  ${met ? 'met' : 'NOT MET'}`)
}

/// A fact that no bar depends on.
const fact = (text) => console.log(`        ${text}`)

function printSide(name, legs) {
  console.log(`${name.padEnd(12)} ${legs.length} locks: ` + [
    `copies ${sum(legs, 'copies_before')} -> ${sum(legs, 'copies_after')}`,
    `fixed ${sum(legs, 'fixed')}`,
    `clean ${count(legs, (l) => l.copies_before && !l.copies_after)} of ${count(legs, (l) => l.copies_before)}`,
    `new ${sum(legs, 'new_vulnerable')}`,
    `entries ${sum(legs, 'entries_changed')} (${perFix(legs).toFixed(2)} per copy fixed)`,
    `downgrades ${sum(legs, 'downgrades')}`,
    `accepted by ci ${count(legs, (l) => l.accepts?.ci)}, by ls ${count(legs, (l) => l.accepts?.ls)}`,
    `failed ${count(legs, (l) => l.failed)}`,
    `CPU ${sum(legs.map((l) => l.cost), 'cpu').toFixed(1)} s, median ${median(legs.map((l) => l.cost.cpu)).toFixed(2)} s`,
  ].join(', '))
}

/// The bars that our side alone can meet or miss.
function printOwnBars(ours) {
  const refused = ours.filter((r) => !(r.ours.accepts.ci && r.ours.accepts.ls))
  bar('fix', 'locks that npm accepts', `ours ${ours.length - refused.length} of ${ours.length}`, '100 %', !refused.length)
  for (const { lock, npm, ours: { accepts } } of refused) {
    fact(`${lock}: ${yes(accepts)}, original ${yes(npm?.original)}  ${accepts.ci_says || accepts.ls_says}`)
  }
  const down = sum(ours.map((r) => r.ours), 'downgrades')
  bar('fix', 'downgrades', `ours ${down}`, '0', down === 0)
}

/// The bars that hold both sides against each other.
function printBars(both) {
  const behind = both.filter((r) => r.ours.fixed < r.npm.fixed)
  bar('fix', 'repositories where npm fixes more', `${behind.length} of ${both.length}`, '0', !behind.length)
  for (const row of behind) fact(`${row.lock}: ours ${row.ours.fixed}, npm ${row.npm.fixed}`)

  // npm also fails for reasons of the place it runs at, a git host out of reach for one. What it
  // misses that way is no merit of ours, so the bar stands without those locks as well.
  const made = both.filter((r) => !r.npm.failed)
  for (const [what, list] of [['copies fixed', both], ['copies fixed where npm did not fail', made]]) {
    const [ours, npm] = ['ours', 'npm'].map((side) => sum(list.map((r) => r[side]), 'fixed'))
    const ratio = ours / Math.max(1, npm)
    bar('fix', what, `ours ${ours}  npm ${npm}  ratio ${ratio.toFixed(2)} on ${list.length} locks`, '>= 1.25', ratio >= 1.25)
  }
  const [ours, npm] = ['ours', 'npm'].map((side) => perFix(both.map((r) => r[side])))
  bar('fix', 'entries changed per copy fixed', `ours ${ours.toFixed(2)}  npm ${npm.toFixed(2)}  ratio ${(ours / npm).toFixed(2)}`,
    '<= 0.5', ours / npm <= 0.5)

  // What failed has no speed.
  const timed = made.filter((r) => !r.ours.failed)
  if (!timed.length) return
  const ratio = (key) => median(timed.map((r) => r.npm.cost[key] / r.ours.cost[key]))
  const cpu = (side) => median(timed.map((r) => r[side].cost.cpu))
  const facts = `ours ${(cpu('ours') * 1e3).toFixed(2)} ms  npm ${cpu('npm').toFixed(3)} s`
  bar('3', 'remediate --all, npm audit fix, CPU', `${facts}  ratio ${ratio('cpu').toFixed(1)} median of ${timed.length} locks`,
    '>= 30', ratio('cpu') >= 30)
  fact(`wall ratio ${ratio('wall').toFixed(1)} median, peak memory ${ratio('rss').toFixed(1)} times less in the median`)
}

/// Totals of each side, then the bars.
export function printTotals(rows, absent) {
  const theirs = rows.filter((r) => r.npm).map((r) => r.npm)
  const ours = rows.filter((r) => r.ours)
  console.log('')
  if (theirs.length) {
    const by = (judge) => count(theirs, (l) => l.original[judge])
    console.log(`originals    accepted by ci ${by('ci')}, by ls ${by('ls')} of ${theirs.length}`)
    printSide('npm', theirs)
    const made = theirs.filter((l) => !l.failed)
    if (made.length && made.length < theirs.length) printSide('npm, made', made)
  }
  if (absent) {
    console.log(`row 3   ${'remediate --all, npm audit fix, CPU'.padEnd(50)}not measured: codegenie ${absent}`)
    return
  }
  if (!ours.length) return
  printSide('codegenie', ours.map((r) => r.ours))
  printOwnBars(ours)
  const both = ours.filter((r) => r.npm)
  if (both.length) printBars(both)
}

const kColumns = ['copies_before', 'copies_after', 'fixed', 'moved', 'pairs_before', 'pairs_after', 'new_vulnerable',
  'entries_changed', 'downgrades', 'format']

/// report.tsv: a line for each lock and side. report.json: everything, with the copies left.
export function write(build, rows, facts) {
  const more = ['ci', 'ls', 'original_ci', 'original_ls', 'wall', 'cpu', 'rss_kib', 'failed']
  const lines = [['lock', 'side', ...kColumns, ...more]]
  const flag = (value) => (value === undefined ? '' : value ? 'yes' : 'no')
  for (const row of rows) {
    for (const [side, leg] of [['npm', row.npm], ['codegenie', row.ours]]) {
      if (!leg) continue
      const judged = [leg.accepts?.ci, leg.accepts?.ls, row.npm?.original?.ci, row.npm?.original?.ls].map(flag)
      const { wall, cpu, rss } = leg.cost
      lines.push([row.lock, side, ...kColumns.map((key) => leg[key]), ...judged, wall.toFixed(4), cpu.toFixed(4), rss, leg.failed])
    }
  }
  fs.writeFileSync(path.join(build, 'report.tsv'), lines.map((cells) => cells.join('\t') + '\n').join(''))
  const kept = rows.map(({ lock, npm, ours }) => ({ lock, npm, codegenie: ours }))
  fs.writeFileSync(path.join(build, 'report.json'), JSON.stringify({ ...facts, locks: kept }, null, 1) + '\n')
}
