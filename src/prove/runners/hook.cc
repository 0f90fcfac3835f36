#include "prove/runners/hook.h"

#include <optional>

#include "base/base/text.h"

namespace cg::runners {

namespace {

constexpr std::string_view kFile = "hook.cjs";

/// For node. mocha and jest are met where every way to start them leads; the others are given words
/// for their command line. Node's own runner is told by an option to load this file as a reporter.
constexpr std::string_view kHook = R"js('use strict';
// Has each test runner that starts in this process leave a report. Never throws, never prints.
const fs = require('fs');
const path = require('path');
const Module = require('module');
const { mkdirSync, writeFileSync, appendFileSync, readFileSync, realpathSync } = fs;
const kReports = '@REPORTS@';
const kManager = '@MANAGER@';
const kNode = '@NODE@';

const kept = (act, otherwise) => { try { return act(); } catch (e) { return otherwise; } };

let asked = 0;
/// Marks that a runner started; where its report is to be.
function ask(runner) {
  mkdirSync(kReports, { recursive: true });
  const mark = `${kReports}/${process.pid}-${process.hrtime.bigint()}-${++asked}.${runner}`;
  writeFileSync(mark, '', { flag: 'wx' });
  return mark + '.report';
}

/// The package a file is of, by its manifest: folders may have other names.
function package_of(file) {
  for (let at = path.dirname(file); at !== path.dirname(at); at = path.dirname(at)) {
    const found = kept(() => JSON.parse(readFileSync(at + '/package.json', 'utf8')));
    if (found && typeof found.name === 'string') {
      const [major, minor] = String(found.version).split('.').map(Number);
      return { name: found.name, release: major * 1000 + minor, file: path.relative(at, file) };
    }
  }
  return { name: '', release: 0, file: '' };
}

/// Every mocha, however it was started, with its own reporter beside ours.
function on_mocha(Mocha) {
  const run = Mocha.prototype.run;
  Mocha.prototype.run = function (...words) {
    const Own = this._reporter;
    // A worker's results are told by who started it.
    if (typeof Own !== 'function' || Own.name === 'ParallelBuffered') return run.apply(this, words);
    const Ours = function (runner, options) {
      kept(() => listen(runner, ask('mocha')));
      return new Own(runner, options);
    };
    Object.setPrototypeOf(Ours, Own);
    Ours.prototype = Own.prototype;
    this._reporter = Ours;
    try { return run.apply(this, words); } finally { this._reporter = Own; }
  };
  return Mocha;
}

/// A runner that has told all waits for what its tests left open, above all where they failed. For
/// those whose process does nothing else: it ends itself, with the code that they have for its end.
const kWaited = 10000;
function end_what_waits() {
  const main = kept(() => package_of(realpathSync(process.argv[1])).name);
  if (!['jest', 'jest-cli', 'mocha'].includes(main)) return;
  setTimeout(() => process.exit(), kWaited).unref();
}

const kMostSaid = 50;
const words_of = (error) => String((error && error.stack) || error).slice(0, 8000);

function listen(runner, file) {
  const seen = { passes: [], failures: [], pending: [] };
  const put = (list) => (test) =>
    kept(() => list.push({ file: test.file, fullTitle: test.fullTitle() }));
  runner.on('pass', put(seen.passes));
  runner.on('fail', (test, error) => {
    put(seen.failures)(test);
    const { length } = seen.failures;
    if (length <= kMostSaid) kept(() => { seen.failures[length - 1].said = words_of(error); });
  });
  runner.on('pending', put(seen.pending));
  runner.once('end', () => kept(() => {
    const stats = {};
    for (const key of Object.keys(seen)) stats[key] = seen[key].length;
    writeFileSync(file, JSON.stringify({ stats, ...seen }));
    end_what_waits();
  }));
}

/// Everybody who runs jest calls this, with what the command line says.
function on_jest(core) {
  const run = core.runCLI;
  const runCLI = async function (argv, ...rest) {
    const other = ['listTests', 'showConfig', 'clearCache', 'watch', 'watchAll'];
    const runs = !other.some((option) => (argv || {})[option]);
    const file = runs && kept(() => ask('jest'));
    const said = await run.call(this, argv, ...rest);
    if (file) kept(() => writeFileSync(file, JSON.stringify(of_jest(said.results))));
    if (file) kept(end_what_waits);
    return said;
  };
  const out = {};
  for (const key of Object.keys(core)) {
    const get = () => (key === 'runCLI' ? runCLI : core[key]);
    Object.defineProperty(out, key, { enumerable: true, get });
  }
  return Object.defineProperty(out, '__esModule', { value: true });
}

let said = 0;
const first_of = (messages) =>
  (messages && messages.length && ++said <= kMostSaid ? [words_of(messages[0])] : []);
const of_jest = (results) => ({
  numTotalTests: results.numTotalTests,
  wasInterrupted: results.wasInterrupted,
  testResults: results.testResults.map((file) => ({
    name: file.testFilePath,
    status: file.testExecError || file.numFailingTests > 0 ? 'failed' : 'passed',
    message: file.testExecError ? words_of(file.testExecError) : '',
    assertionResults: file.testResults.map(({ ancestorTitles, title, status, failureMessages }) =>
      ({ ancestorTitles, title, status,
        failureMessages: first_of(failureMessages) })),
  })),
});

const kLibraries = [
  { file: 'lib/mocha.js', name: 'mocha', change: on_mocha },
  { file: 'build/jest.js', name: '@jest/core', change: on_jest },  // up to 27
  { file: 'build/index.js', name: '@jest/core', change: on_jest },
];

/// Changed when somebody first asks for it, and loaded here, so that we are in nobody's stack.
const seen = new Set();
function look_at_library(file) {
  for (const library of kLibraries) {
    if (!file.endsWith('/' + library.file) || seen.has(file)) continue;
    seen.add(file);
    const found = package_of(file);
    if (found.name !== library.name || found.file !== library.file) continue;
    const exports = Module._load(file, null, false);
    Module._cache[file].exports = library.change(exports);
  }
}

const words_without = (words, option) => {
  const out = [];
  for (let i = 0; i < words.length; ++i) {
    if (words[i] === option) ++i;
    else if (!words[i].startsWith(option + '=')) out.push(words[i]);
  }
  return out;
};

/// Runners that take words: their commands, from which release (15000: 15.0) on they can report, and
/// how they are asked; `others` do not run tests, or do not end.
const kCommands = {
  vitest: {
    files: ['vitest.mjs', 'dist/cli.js', 'dist/cli-wrapper.js'],
    from: 20,
    others: ['bench', 'list', 'init', 'watch', 'dev', '--watch', '-w', '--help', '-h',
      '--version', '-v'],
    words(words) {
      const own = words.some((word) => /^--reporters?(=|$)/.test(word));
      return [...(own ? [] : ['--reporter=default']), '--reporter=json',
        '--outputFile.json=' + ask('vitest'), ...words_without(words, '--outputFile')];
    },
  },
  tap: {
    files: ['bin/run.js', 'dist/esm/run.mjs', 'dist/commonjs/run.cjs'],
    others: ['build', 'config', 'debug', 'dump-config', 'help', 'list', 'plugin', 'repl', 'report',
      'versions', '--version', '--help', '-h', '-v'],
    from: 15000,
    words: (words) => ['--output-file=' + ask('tap'),
      ...words_without(words_without(words, '--output-file'), '-o')],
  },
  ava: {
    files: ['entrypoints/cli.mjs', 'cli.js'],
    from: 1000,
    others: ['debug', 'reset-cache', '--watch', '-w', '--help', '--version'],
    words(words) {
      const file = ask('ava');
      const write = process.stdout.write;
      process.stdout.write = function (text) {
        kept(() => appendFileSync(file, text));
        return write.apply(this, arguments);
      };
      return ['--tap', ...words.filter((word) => word !== '--tap' && word !== '-t')];
    },
  },
};

let is_asked = false;
function look_at_command() {
  if (is_asked || !process.argv[1] || process.argv.some((word) => word.includes(kReports))) return;
  const main = kept(() => realpathSync(process.argv[1]));
  if (!main || !/\.(c|m)?js$/.test(main)) return;
  const found = package_of(main);
  const command = Object.keys(kCommands).includes(found.name) && kCommands[found.name];
  if (!command || !command.files.includes(found.file) || !(found.release >= command.from)) return;
  is_asked = true;
  const words = process.argv.slice(2);
  const end = words.indexOf('--') < 0 ? words.length : words.indexOf('--');
  if (words.slice(0, end).some((word) => command.others.includes(word))) return;
  process.argv.splice(2, end, ...command.words(words.slice(0, end)));
}

/// Node's own runner loads this file as a reporter, and tells it what became of each test. A file
/// of another runner's that borrows `describe` of it has that one wait for its tests and end the
/// process, so that nothing whole could be told here.
const kWorkers = ['JEST_WORKER_ID', 'VITEST_POOL_ID', 'VITEST_WORKER_ID'];
module.exports = async function* (source) {
  if (kWorkers.some((name) => process.env[name])) {
    for await (const event of source) void event;
    return;
  }
  const file = ask('node:test');
  for await (const text of require('node:test/reporters').tap(source)) appendFileSync(file, text);
};

if (require('worker_threads').isMainThread) {
  // What it starts as node is to be the one beside this file, which does not lose it.
  const is_manager = () => realpathSync(process.argv[1]) === realpathSync(kManager);
  if (kManager && kept(is_manager)) process.execPath = kNode;
  kept(look_at_command);
  const resolve = Module._resolveFilename;
  Module._resolveFilename = function (request, parent, is_main) {
    const file = resolve.apply(this, arguments);
    // Tools that wrap a program start it only now, under its own name.
    if (is_main) kept(look_at_command);
    if (typeof file === 'string') kept(() => look_at_library(file));
    return file;
  };
}
)js";

/// In the place of node: a script that sets NODE_OPTIONS would leave the hook behind. Node takes
/// a reporter without a destination only where it is the only one, and ours is another.
constexpr std::string_view kNode = R"sh(#!/bin/sh
case "$NODE_OPTIONS" in
*@HOOK@*) ;;
*) export NODE_OPTIONS='@OPTIONS@'" $NODE_OPTIONS" ;;
esac
case " $*" in
*' --test-reporter-destination'*) ;;
*' --test-reporter'*) set -- --test-reporter-destination=stdout "$@" ;;
esac
exec @NODE@ "$@"
)sh";

std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string shell_word(std::string_view text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

std::string file_of(const Hook& hook) { return hook.folder + "/" + std::string(kFile); }

/// Node 18.15 and 19.6 know reporters. Beside ours the one that people read, whatever this version
/// of node prefers: what a failure looks like must not depend on it.
std::string options_of(const Hook& hook) {
  const std::string file = '"' + escaped(file_of(hook), "\"\\") + '"';
  std::string out = "--require " + file;
  const auto parts = split(hook.node_version, '.');
  const std::uint64_t major = parse_u64(parts.front()).value_or(0);
  const std::uint64_t minor = parts.size() > 1 ? parse_u64(parts[1]).value_or(0) : 0;
  if (major < 18 || (major == 18 && minor < 15) || (major == 19 && minor < 6)) return out;
  for (const std::string& reporter : {file, std::string("spec")}) {
    out += " --test-reporter=" + reporter + " --test-reporter-destination=stdout";
  }
  return out;
}

}  // namespace

std::map<std::string, std::string> files_of(const Hook& hook) {
  std::string node = replaced(kNode, "'@OPTIONS@'", shell_word(options_of(hook)));
  node = replaced(node, "@HOOK@", shell_word(escaped(file_of(hook), "\"\\")));
  std::string script = replaced(kHook, "@REPORTS@", escaped(hook.reports, "'\\"));
  script = replaced(script, "@MANAGER@", escaped(hook.manager, "'\\"));
  script = replaced(script, "@NODE@", escaped(hook.folder + "/node", "'\\"));
  return {{std::string(kFile), std::move(script)},
          {"node", replaced(node, "@NODE@", shell_word(hook.node))}};
}

std::vector<std::string> environment_of(const Hook& hook, std::string_view path) {
  return {"NODE_OPTIONS=" + options_of(hook), "PATH=" + hook.folder + ":" + std::string(path)};
}

}  // namespace cg::runners
