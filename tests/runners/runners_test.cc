// The reports of real runners: small projects of ours, run by the repository's own script.
//
// Nothing is kept apart here, and so nothing passes: the chamber says none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <stdexcept>

#include "npm/semver/range.h"
#include "prove/gate/run_trial.h"
#include "prove/gate/trial.h"
#include "prove/gate/verdict.h"
#include "support/hook.h"
#include "support/support.h"
#include "trust/hash/sha256.h"

namespace cg::gate {
namespace {

namespace fs = std::filesystem;
using runners::Runner;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

sandbox::Output output_of(std::string text) {
  return {text, text.size(), hash::sha256(as_bytes(text))};
}

/// Runs steps as they are, on this machine.
class BareChamber : public sandbox::Chamber {
 public:
  [[nodiscard]] const sandbox::InForce& in_force() const override { return in_force_; }
  [[nodiscard]] Result<sandbox::Ran, sandbox::Error> run(const sandbox::Step& step,
                                                         const sandbox::OnOutput&) override {
    std::vector<std::string> argv = {"sh", "-c", "cd \"$0\" && exec env -i \"$@\"", step.folder};
    argv.insert(argv.end(), step.env.begin(), step.env.end());
    argv.insert(argv.end(), step.argv.begin(), step.argv.end());
    const test::Ran done = test::run(argv);
    sandbox::Ran out;
    out.ending = sandbox::Exited{done.exit};
    out.out = output_of(done.out);
    out.err = output_of(done.err);
    out.trace.kept = true;
    for (const std::string& path : step.collect) {
      if (!fs::is_directory(path)) continue;
      for (const auto& entry : fs::directory_iterator(path)) {
        out.collected[entry.path()] = test::read(entry.path());
      }
    }
    return out;
  }

 private:
  sandbox::InForce in_force_;
};

std::string node() {
  const std::string told = test::run({"node", "--print", "process.execPath"}).out;
  return told.substr(0, told.find('\n'));
}

struct Sample {
  std::string label;
  Runner runner;
  std::string folder;   // in node_modules; empty: comes with node
  std::string command;  // the file in it that is the command
  std::string script;
  std::string file;
  std::function<std::string(std::string_view subject)> text;  // tests of `subject`
};

/// Three tests: one passes, one passes where `subject` is 2, one is skipped. The second
/// prints what looks like results.
std::vector<Sample> all_samples();

/// The text behind `"key": "` in a manifest.
std::string told_by(const std::string& manifest, const std::string& key) {
  const std::size_t at = manifest.find("\"" + key + "\": \"");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + key.size() + 5;
  return manifest.substr(begin, manifest.find('"', begin) - begin);
}

std::string manifest_of(const Sample& sample) {
  return test::read(fs::path(CG_RUNNERS) / sample.folder / "package.json");
}

/// Those that this node may run, as they say themselves; one that comes with node always may.
std::vector<Sample> samples() {
  const auto node = semver::Version::parse(
      test::run({"node", "--print", "process.versions.node"}).out, {.loose = true});
  std::vector<Sample> all = all_samples();
  std::vector<Sample> out;
  for (Sample& sample : all) {
    std::string engines = "*";
    if (!sample.folder.empty()) {
      const std::string manifest = manifest_of(sample);
      engines =
          told_by(manifest.substr(std::min(manifest.find("\"engines\""), manifest.size())), "node");
    }
    const auto range = semver::Range::parse(engines);
    if (!range || (node && satisfies(*node, *range))) out.push_back(std::move(sample));
  }
  EXPECT_GE(out.size(), 9U) << "more than one runner is too new for this node";
  return out;
}

bool is_installed() { return fs::exists(fs::path(CG_RUNNERS) / "../installed"); }

/// A project with that runner alone in its node_modules.
void lay_out(const fs::path& folder, const Sample& sample, std::string_view subject) {
  fs::create_directories(folder / "node_modules/.bin");
  test::write(folder / "package.json",
              R"({"name":"sample","version":"1.0.0","scripts":{"test":")" + sample.script + "\"}}");
  fs::create_directories((folder / sample.file).parent_path());
  test::write(folder / sample.file, sample.text(subject));
  if (sample.folder.empty()) return;
  const fs::path package = fs::path(CG_RUNNERS) / sample.folder;
  fs::create_directory_symlink(package, folder / "node_modules" / std::string(name(sample.runner)));
  fs::create_symlink(package / sample.command,
                     folder / "node_modules/.bin" / std::string(name(sample.runner)));
}

Trial trial_of(const Sample& sample, std::string_view subject) {
  const test::ScratchDir scratch;
  lay_out(scratch / "tree", sample, subject);
  Setup setup;
  setup.folder = fs::canonical(scratch / "tree");
  setup.checks.tests = true;
  setup.hook = test::lay_hook(scratch / "hook", scratch / "reports", node());
  setup.manager = {"npm"};
  BareChamber chamber;
  auto trial = run_trial(chamber, setup, {}, {});
  EXPECT_TRUE(trial) << sample.label;
  return *std::move(trial);
}

std::string shown(const Trial& trial) {
  std::string out = trial.tests->why_not + "\n";
  for (const runners::TestCase& c : trial.tests->cases) {
    out += std::string(name(c.outcome)) + ": " + c.id + "\n";
  }
  return out + trial.steps.back().excerpt;
}

std::vector<std::string> endings(const std::vector<std::string>& ids) {
  std::vector<std::string> out;
  for (const std::string& id : ids) out.push_back(id.substr(id.rfind(' ') + 1));
  return out;
}

TEST(RealRunners, NameEachTestAndTheOneThatBreaks) {
  if (!is_installed()) GTEST_SKIP() << test::kNoPackages;
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.label);
    const Trial base = trial_of(sample, "2");
    ASSERT_TRUE(base.tests);
    EXPECT_TRUE(base.tests->complete) << shown(base);
    EXPECT_EQ(base.tests->runner, name(sample.runner));
    EXPECT_EQ(base.tests->totals, (runners::Totals{2, 0, 1})) << shown(base);
    EXPECT_TRUE(base.steps.back().success) << shown(base);

    const Trial fix = trial_of(sample, "3");
    ASSERT_TRUE(fix.tests);
    EXPECT_TRUE(fix.tests->complete) << shown(fix);
    EXPECT_FALSE(fix.steps.back().success);
    const runners::TestDelta delta = compare(*base.tests, *fix.tests);
    EXPECT_THAT(endings(delta.broken), ElementsAre("doubles")) << shown(fix);
    EXPECT_THAT(delta.missing, IsEmpty()) << shown(fix);
    EXPECT_THAT(delta.added, IsEmpty()) << shown(fix);
  }
}

/// A sample of `all_samples()` with another script.
Sample with_script(const std::string& label, const std::string& script) {
  for (Sample sample : all_samples()) {
    if (sample.label != label) continue;
    sample.script = script;
    return sample;
  }
  throw std::runtime_error("no sample " + label);
}

TEST(RealRunners, AreCountedHoweverTheyAreStarted) {
  if (!is_installed()) GTEST_SKIP() << test::kNoPackages;
  const struct {
    const char* label;
    const char* script;
    unsigned times;  // the suite is run
  } cases[] = {
      {"mocha 10", "node -e 0 && mocha", 1},
      {"mocha 10", "for i in 1 2 3; do mocha test/*.js; done", 3},
      {"mocha 10", "mocha --reporter dot; mocha -R json", 2},
      {"mocha 10", "mocha --parallel --jobs 2", 1},
      {"mocha 10", "NODE_OPTIONS=--no-warnings mocha", 1},
      {"mocha 10", "mocha --expose-gc", 1},
      {"mocha 10", "node node_modules/mocha/bin/_mocha", 1},
      {"mocha 11", "NODE_OPTIONS= mocha | cat", 1},
      {"jest 29", "NODE_OPTIONS=--experimental-vm-modules jest", 1},
      {"jest 29", "jest --json --outputFile=own.json && test -s own.json", 1},
      {"jest 29", "jest -i; jest --listTests", 1},
      {"vitest 3", "vitest run --reporter=verbose && vitest run --outputFile=x", 2},
      {"vitest 3", "node --expose-gc ./node_modules/vitest/dist/cli.js --run", 1},
      {"node:test", "node test/sum.js && node --test", 2},
      {"node:test", "node --test --test-reporter=dot", 1},
      {"node:test", "NODE_OPTIONS=--no-warnings node --test --test-reporter spec", 1},
      {"node:test", "node --test --test-reporter=tap --test-reporter-destination=x", 1},
      {"tap 16", "tap --no-check-coverage", 1},
      {"ava 6", "ava && ava --tap", 2},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.script);
    const Trial trial = trial_of(with_script(c.label, c.script), "2");
    EXPECT_TRUE(trial.tests->complete) << shown(trial);
    EXPECT_EQ(trial.tests->totals, (runners::Totals{2 * c.times, 0, c.times})) << shown(trial);
    EXPECT_TRUE(trial.steps.back().success) << shown(trial);
  }
}

TEST(RealRunners, OneThatIsKilledLeavesARunThatIsNotWhole) {
  if (!is_installed()) GTEST_SKIP() << test::kNoPackages;
  Sample sample = with_script("mocha 10", "mocha test/*.js; mocha test/*.js");
  sample.text = [](std::string_view) {
    return "it('ends', () => { process.kill(process.pid, 'SIGKILL'); });\n";
  };
  const Trial trial = trial_of(sample, "2");
  EXPECT_TRUE(trial.tests->asked);
  EXPECT_FALSE(trial.tests->complete);
  EXPECT_EQ(trial.tests->why_not, "a mocha that was started left no report");
}

/// Their own processes end; with the code that says what became of the tests.
TEST(RealRunners, WhoWaitsForWhatTestsLeftOpenEnds) {
  if (!is_installed()) GTEST_SKIP() << test::kNoPackages;
  for (const char* label : {"jest 29", "mocha 11"}) {
    for (const char* thrown : {"", "throw new Error('no');"}) {
      Sample sample = with_script(label, label == std::string("jest 29") ? "jest" : "mocha");
      sample.text = [&](std::string_view) {
        return "it('leaves', () => { setInterval(() => {}, 1000); " + std::string(thrown) +
               " });\n";
      };
      const Trial trial = trial_of(sample, "2");
      const bool passes = thrown[0] == '\0';
      EXPECT_TRUE(trial.tests->complete) << shown(trial);
      EXPECT_EQ(trial.tests->totals, (runners::Totals{passes ? 1U : 0U, passes ? 0U : 1U, 0}));
      EXPECT_EQ(trial.steps.back().success, passes) << shown(trial);
    }
  }
}

TEST(RealRunners, WhatIsNoRunnerIsLeftAlone) {
  if (!is_installed()) GTEST_SKIP() << test::kNoPackages;
  for (const char* script : {"node -e 0", "mocha --version", "node --version"}) {
    const Trial trial = trial_of(with_script("mocha 10", script), "2");
    EXPECT_FALSE(trial.tests->asked) << script;
    EXPECT_TRUE(trial.steps.back().success) << shown(trial);
  }
}

/// Its tests are vitest's, which ends the process before node's own runner could be through.
TEST(RealRunners, WhatIsBorrowedOfAnotherIsNoRunOfIt) {
  if (!is_installed()) GTEST_SKIP() << test::kNoPackages;
  Sample sample = with_script("vitest 3", "vitest run");
  sample.text = [](std::string_view) {
    return "import { describe } from 'node:test';\nimport { expect, it } from 'vitest';\n"
           "describe('sum', () => { it('doubles', () => { expect(2).toBe(2); }); });\n";
  };
  const Trial trial = trial_of(sample, "2");
  EXPECT_TRUE(trial.tests->complete) << shown(trial);
  EXPECT_EQ(trial.tests->runner, "vitest") << shown(trial);
  EXPECT_EQ(trial.tests->totals, (runners::Totals{1, 0, 0})) << shown(trial);
}

TEST(RealRunners, ATestThatIsRemovedIsMissing) {
  if (!is_installed()) GTEST_SKIP() << test::kNoPackages;
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.label);
    const Trial base = trial_of(sample, "2");
    const Trial fix = trial_of(sample, "gone");
    EXPECT_TRUE(fix.tests->complete) << shown(fix);
    EXPECT_THAT(endings(compare(*base.tests, *fix.tests).missing), ElementsAre("doubles"))
        << shown(fix);
  }
}

TEST(RealRunners, NothingPassesThatRanOnTheHost) {
  if (!is_installed()) GTEST_SKIP() << test::kNoPackages;
  const Trial trial = trial_of(samples().front(), "2");
  const Verdict verdict = judge(trial, trial, {});
  ASSERT_TRUE(std::holds_alternative<Failed>(verdict));
  EXPECT_THAT(std::get<Failed>(verdict).failing, Contains("isolation"));
}

/// `call(name, body)` for each of the three, "doubles" left out where the subject is gone.
std::string doubles(std::string_view subject, const std::string& text) {
  if (subject == "gone") return "";
  std::string out = text;
  const std::size_t at = out.find('@');
  return out.replace(at, 1, subject);
}

constexpr const char* kPrints = R"(console.log("ok 7 - fake\n1..9\nTests: 99 passed, 99 total"); )";

std::string jest_text(std::string_view subject) {
  return "describe('sum', () => {\n  test('adds', () => { expect(1 + 1).toBe(2); });\n" +
         doubles(subject, std::string("  test('doubles', () => { ") + kPrints +
                              "expect(1 * 2).toBe(@); });\n") +
         "  test.skip('later', () => {});\n});\n";
}

std::string mocha_text(std::string_view subject) {
  return "const assert = require('assert');\ndescribe('sum', () => {\n"
         "  it('adds', () => { assert.equal(1 + 1, 2); });\n" +
         doubles(subject, std::string("  it('doubles', () => { ") + kPrints +
                              "assert.equal(1 * 2, @); });\n") +
         "  it.skip('later', () => {});\n});\n";
}

std::string vitest_text(std::string_view subject) {
  return "import { describe, test, expect } from 'vitest';\n" + jest_text(subject);
}

std::string node_text(std::string_view subject) {
  return "const { describe, it } = require('node:test');\n" + mocha_text(subject);
}

std::string tap_text(std::string_view subject) {
  // What a file prints is the stream that node-tap reads: nothing is printed here.
  return "const t = require('tap');\nt.test('sum', t => {\n  t.equal(1 + 1, 2, 'adds');\n" +
         doubles(subject, "  t.equal(1 * 2, @, 'doubles');\n") +
         "  t.end();\n});\n"
         "t.test('later', { skip: 'why' }, t => { t.end(); });\n";
}

std::string ava_text(std::string_view subject) {
  return "import test from 'ava';\ntest('adds', t => { t.is(1 + 1, 2); });\n" +
         doubles(subject,
                 std::string("test('doubles', t => { ") + kPrints + "t.is(1 * 2, @); });\n") +
         "test.skip('later', t => { t.pass(); });\n";
}

std::vector<Sample> all_samples() {
  return {
      {"jest 29", Runner::jest, "jest", "bin/jest.js", "jest", "sum.test.js", jest_text},
      {"mocha 10", Runner::mocha, "mocha", "bin/mocha.js", "mocha", "test/sum.js", mocha_text},
      {"mocha 11", Runner::mocha, "mocha11", "bin/mocha.js", "NODE_ENV=test mocha", "test/sum.js",
       mocha_text},
      {"vitest 3", Runner::vitest, "vitest", "vitest.mjs", "vitest run", "sum.test.mjs",
       vitest_text},
      {"node:test", Runner::node_test, "", "", "node --test", "test/sum.js", node_text},
      {"tap 16", Runner::tap, "tap16", "bin/run.js", "tap --no-coverage", "test/sum.js", tap_text},
      {"tap 18", Runner::tap, "tap18", "dist/esm/run.mjs", "tap --allow-empty-coverage",
       "test/sum.js", tap_text},
      {"tap 21", Runner::tap, "tap21", "dist/esm/run.mjs", "tap --allow-empty-coverage",
       "test/sum.js", tap_text},
      {"ava 5", Runner::ava, "ava5", "entrypoints/cli.mjs", "ava", "test.mjs", ava_text},
      {"ava 6", Runner::ava, "ava", "entrypoints/cli.mjs", "ava", "test.mjs", ava_text},
  };
}

}  // namespace
}  // namespace cg::gate
