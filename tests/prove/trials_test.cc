// The planner chooses no version that an advisory speaks of, so what the gates say to one is
// shown without it: real trials in real jails, judged with facts in which one appears.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "jail/sandbox/jail.h"
#include "prove/gate/run_trial.h"
#include "prove/gate/verdict.h"
#include "support/hook.h"
#include "support/support.h"

namespace cg::gate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kManifest =
    R"({"name": "sum", "version": "1.0.0", "scripts": {"test": "node --test"}})";
constexpr const char* kTest = R"('use strict';
const test = require('node:test');
test('one', () => {});
test('two', () => {});
)";

class Trials : public testing::Test {
 protected:
  Trials() {
    std::filesystem::create_directories(scratch_ / "tree/test");
    std::filesystem::create_directories(scratch_ / "shelf");
    test::write(scratch_ / "tree/package.json", kManifest);
    test::write(scratch_ / "tree/test/sum.test.js", kTest);
    comparison_.checks.tests = true;
    comparison_.checks.test_script = "node --test";
    comparison_.checks.absent = {{"build", "no build script"},
                                 {"typecheck.typescript", "no tsconfig.json"}};
    const LockEntry entry{"node_modules/left", "left", "1.0.0",
                          "https://registry.example/left/-/left-1.0.0.tgz", "sha512-a"};
    comparison_.lock_before = LockSide{{entry}, {}};
    comparison_.lock_after = comparison_.lock_before;
    comparison_.registries = {"https://registry.example/"};
    comparison_.to_fix = {{"CGEX-2026-1", "left", "node_modules/left"}};
    comparison_.advisories_before = comparison_.to_fix;
    comparison_.advisories_after.emplace();
  }

  Trial run() {
    auto jails = sandbox::Jails::make(CG_JAIL, sandbox::starting_by_fork());
    if (!jails) throw std::runtime_error(sandbox::describe(jails.error()));
    const runners::Hook hook = test::lay_hook(scratch_ / "hook", "/tmp/report-of-these-tests");
    auto chamber = jails->open({scratch_ / "tree", scratch_ / "shelf", {hook.folder}});
    if (!chamber) throw std::runtime_error(sandbox::describe(chamber.error()));
    gate::Setup setup;
    setup.checks = comparison_.checks;
    setup.install = {{{"/usr/bin/node", "-e", "0"}, {}}};
    setup.hook = hook;
    auto trial = run_trial(**chamber, setup, {}, {});
    if (!trial) throw std::runtime_error(sandbox::describe(trial.error()));
    return *std::move(trial);
  }

  test::ScratchDir scratch_;
  Comparison comparison_;
};

TEST_F(Trials, AnAdvisoryThatIsNewIsRefusedThoughAllElsePasses) {
  const Trial base = run();
  const Trial fix = run();
  ASSERT_TRUE(base.tests && base.tests->complete) << base.steps.back().excerpt;
  EXPECT_EQ(base.tests->totals.passed, 2U);

  const Verdict good = judge(base, fix, comparison_);
  EXPECT_TRUE(std::holds_alternative<Passed>(good)) << std::get<Failed>(good).summary;
  EXPECT_EQ(isolation_of(good), sandbox::Isolation::namespaces);

  comparison_.advisories_after->push_back({"CGEX-2026-2", "left", "node_modules/left"});
  const Verdict bad = judge(base, fix, comparison_);
  ASSERT_TRUE(std::holds_alternative<Failed>(bad));
  EXPECT_THAT(std::get<Failed>(bad).failing, ElementsAre("cve_delta"));
  EXPECT_THAT(std::get<Failed>(bad).summary, HasSubstr("CGEX-2026-2"));
}

TEST_F(Trials, AnAddressOfAForeignRegistryIsRefusedThoughAllElsePasses) {
  const Trial base = run();
  const Trial fix = run();
  LockEntry& entry = comparison_.lock_after->entries.front();
  entry.version = "1.0.1";
  entry.integrity = "sha512-b";
  entry.resolved = "https://elsewhere.example/left/-/left-1.0.1.tgz";
  const Verdict verdict = judge(base, fix, comparison_);
  ASSERT_TRUE(std::holds_alternative<Failed>(verdict));
  EXPECT_THAT(std::get<Failed>(verdict).failing, ElementsAre("lockfile_policy"));
  EXPECT_THAT(std::get<Failed>(verdict).summary, HasSubstr("elsewhere.example"));
}

}  // namespace
}  // namespace cg::gate
