// What suites count on is there: each line of compat.def, in the environment of a real test step.
#include <gtest/gtest.h>
#include <unistd.h>

#include <map>
#include <memory>
#include <ostream>
#include <tuple>

#include "../fence/fence.h"
#include "bench.h"
#include "prove/gate/run_trial.h"
#include "prove/gate/trial.h"

namespace cg::sandbox::test {
namespace {

enum class Program { node, sh };

struct Line {
  std::string name;
  std::string what;
  Program program;
  std::string script;
};

std::ostream& operator<<(std::ostream& out, const Line& line) { return out << line.name; }

const std::vector<Line>& lines() {
  static const std::vector<Line> all = {
#define CG_COMPAT(name, what, program, script) {#name, what, Program::program, script},
#include "compat.def"
#undef CG_COMPAT
  };
  return all;
}

/// A suite's own file in the tree, and what it is run by. A failed assertion in a callback is an
/// exception that nobody catches, so node exits with 1; a handle that stays open meets the limit.
constexpr std::string_view kHead =
    "'use strict';\nconst assert = require('assert');\nconst fs = require('fs');\n"
    "const os = require('os');\n";
constexpr std::string_view kShellHead = "refused() { if \"$@\"; then return 1; fi; }\n";

Step step_of(const Line& line) {
  gate::Setup setup;
  setup.path = "/usr/bin:/bin";
  Step step;
  step.name = line.name;
  step.env = gate::plain_environment(setup);
  step.tree = Tree::own;
  step.limits.wall = std::chrono::seconds(30);
  if (line.program == Program::node) {
    step.argv = {"/usr/bin/node", "/tree/suite.js"};
    step.planted["suite.js"] = std::string(kHead) + line.script;
  } else {
    step.argv = {"/bin/sh", "-e", "/tree/suite.sh"};
    step.planted["suite.sh"] = std::string(kShellHead) + line.script;
  }
  return step;
}

class Compat : public testing::TestWithParam<std::tuple<As, Line>> {
 protected:
  /// One chamber for all: each step has a tree of its own.
  static Bench& bench(As as) {
    auto& found = benches()[as];
    if (!found) found = std::make_unique<Bench>(as);
    found->scene.scratch_bytes = 1U << 30U;
    return *found;
  }
  static void TearDownTestSuite() { benches().clear(); }

 private:
  static std::map<As, std::unique_ptr<Bench>>& benches() {
    static std::map<As, std::unique_ptr<Bench>> all;
    return all;
  }
};

TEST_P(Compat, IsThere) {
  const auto& [as, line] = GetParam();
  if (line.program == Program::node && access("/usr/bin/node", X_OK) != 0) {
    GTEST_SKIP() << "this machine has no /usr/bin/node";
  }
  if (line.name.ends_with("_ipv6") && access("/proc/net/if_inet6", F_OK) != 0) {
    GTEST_SKIP() << "this machine's kernel has no IPv6";
  }
  if (line.name.starts_with("git_") && access("/usr/bin/git", X_OK) != 0) {
    GTEST_SKIP() << "this machine has no /usr/bin/git";
  }
  const Step step = step_of(line);
  const Ran ran = bench(as).run(step);
  EXPECT_EQ(describe(ran.ending, step.limits), "exit 0") << ran.out.kept << ran.err.kept;
}

INSTANTIATE_TEST_SUITE_P(Lines, Compat,
                         testing::Combine(testing::ValuesIn(users()), testing::ValuesIn(lines())),
                         [](const auto& one) {
                           return name(std::get<As>(one.param)) + "_" +
                                  std::get<Line>(one.param).name;
                         });

TEST(CompatDocument, StatesEveryLine) {
  std::string out = "| name | a suite can count on | asked by |\n|---|---|---|\n";
  for (const Line& line : lines()) {
    out += "| `" + line.name + "` | " + line.what + " | " +
           (line.program == Program::node ? "node" : "sh") + " |\n";
  }
  EXPECT_EQ(fence::joined(fence::check_document("doc/sandbox-compat.md", out)), "");
}

/// What is not there must be seen: else a line that cannot fail would pass.
TEST(CompatLines, FailWhereWhatTheyAskForIsMissing) {
  Bench bench(As::self);
  const Line wrong[] = {{"thrown", "", Program::node, "assert.equal(1, 2);"},
                        {"later", "", Program::node, "setImmediate(() => assert.fail());"},
                        {"promised", "", Program::node, "(async () => assert.fail())();"},
                        {"shell", "", Program::sh, "test 1 = 2\ntrue\n"},
                        {"refused", "", Program::sh, "refused true\ntrue\n"}};
  for (const Line& line : wrong) {
    if (line.program == Program::node && access("/usr/bin/node", X_OK) != 0) continue;
    EXPECT_EQ(describe(bench.run(step_of(line)).ending, {}), "exit 1") << line.name;
  }
}

}  // namespace
}  // namespace cg::sandbox::test
