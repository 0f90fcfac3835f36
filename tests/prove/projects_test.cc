// Small projects, each with a real test runner or package manager: the whole way from plan to
// branch, offline.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "prove/bench.h"

namespace cg::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct Project {
  std::string name;
  std::string runner;  // that the gate knows
  std::int64_t passed = 0;
  std::int64_t failed = 0;  // at the base and after
  std::int64_t skipped = 0;
  std::string build = "absent";
  std::string types = "absent";
  std::string manager = "";  // that the registry is asked for, whatever this machine has
};

void PrintTo(const Project& project, std::ostream* out) { *out << project.name; }

class Whole : public testing::TestWithParam<Project> {
 protected:
  static void expect_numbers(const json::Value& side, const Project& expected) {
    EXPECT_EQ(text_of(side, "runner"), expected.runner);
    EXPECT_EQ(number_of(side, "passed"), expected.passed);
    EXPECT_EQ(number_of(side, "failed"), expected.failed);
    EXPECT_EQ(number_of(side, "skipped"), expected.skipped);
  }

  static void expect_gates(const Proven& proven, const Project& expected) {
    for (const char* signal : {"install", "tests", "lockfile_policy", "cve_delta", "trace"}) {
      EXPECT_EQ(proven.state(signal), "passed") << signal << ": " << proven.reasons(signal);
    }
    EXPECT_EQ(proven.state("load"), "absent") << proven.reasons("load");
    EXPECT_EQ(proven.state("build"), expected.build) << proven.reasons("build");
    EXPECT_EQ(proven.state("typecheck.typescript"), expected.types)
        << proven.reasons("typecheck.typescript");
    const json::Value tests = proven.gate("tests");
    expect_numbers(member_of(tests, "before"), expected);
    expect_numbers(member_of(tests, "after"), expected);
  }

  static void expect_recorded(const ProveBench& bench, const Project& expected) {
    std::string managers;
    for (const json::Value& fetched : bench.events("manager_fetched")) {
      managers += text_of(fetched, "package") + "@" + text_of(fetched, "version");
      EXPECT_THAT(text_of(fetched, "integrity"), HasSubstr("sha512-"));
    }
    EXPECT_EQ(managers, expected.manager);
    const auto opened = bench.events("sandbox_opened");
    ASSERT_THAT(opened, SizeIs(2));
    EXPECT_EQ(text_of(opened[0], "side"), "base");
    EXPECT_EQ(text_of(opened[1], "side"), "fix");
    for (const json::Value& one : opened) EXPECT_EQ(text_of(one, "isolation"), "namespaces");
    EXPECT_GE(bench.events("step_ran").size(), 4U);
    EXPECT_THAT(bench.events("signal_judged"), SizeIs(8));
    const auto ended = bench.events("attempt_ended");
    ASSERT_THAT(ended, SizeIs(1));
    EXPECT_EQ(text_of(ended[0], "failing"), "");
    EXPECT_EQ(text_of(ended[0], "tried"), "@proof/slug 1.0.1");
  }
};

TEST_P(Whole, IsFixedOnABranchThatItsOwnTestsPassed) {
  const Project& expected = GetParam();
  const auto bench = ProveBench::open(expected.name);
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  const Files before = bench->untouchable(expected.name);
  const Proven proven = bench->prove();
  ASSERT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err;
  EXPECT_EQ(text_of(proven.outcome, "outcome"), "fixed");
  EXPECT_EQ(text_of(proven.outcome, "isolation_class"), "namespaces");
  expect_gates(proven, expected);
  EXPECT_THAT(bench->branches(), SizeIs(1));
  const auto commits = list_of(proven.outcome, "commits");
  ASSERT_THAT(commits, SizeIs(1));
  EXPECT_EQ(text_of(commits[0], "outcome"), expected.runner == "unknown" ? "weak" : "proven");
  EXPECT_EQ(bench->fsck(expected.name), "");
  EXPECT_EQ(bench->untouchable(expected.name), before);
  expect_recorded(*bench, expected);
  const Ran verified = bench->codegenie({"verify", "latest"});
  EXPECT_EQ(verified.exit, 0) << verified.out << verified.err;
}

// Of the workspaces each starts a runner of its own: their numbers are added up.
INSTANTIATE_TEST_SUITE_P(
    Projects, Whole,
    testing::Values(
        Project{"jest-app", "jest", 4, 0, 1}, Project{"mocha-lib", "mocha", 2, 1, 1},
        Project{"vitest-esm", "vitest", 2}, Project{"node-app", "node:test", 3},
        Project{"tap-lib", "tap", 3}, Project{"ava-lib", "ava", 2, 0, 1},
        Project{"typescript-lib", "node:test", 2, 0, 0, "passed", "passed"},
        Project{"workspaces", "node:test", 4, 0, 0, "passed"},
        Project{.name = "yarn-app", .runner = "mocha", .passed = 2, .manager = "yarn@1.22.22"},
        Project{.name = "pnpm-app", .runner = "mocha", .passed = 2, .manager = "pnpm@9.15.4"},
        Project{.name = "pnp-app",
                .runner = "mocha",
                .passed = 2,
                .manager = "@yarnpkg/cli-dist@4.6.0"}),
    [](const auto& project) {
      std::string name = project.param.name;
      for (char& c : name) c = c == '-' ? '_' : c;
      return name;
    });

TEST(OwnManager, OneThatCannotBeHadIsNamed) {
  const auto bench = ProveBench::open("pnp-app");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  const std::string file = bench->path("pnp-app/package.json");
  std::string manifest = test::read(file);
  const std::string named = "yarn@4.6.0";
  manifest.replace(manifest.find(named), named.size(), "yarn@4.99.0");
  test::write(file, manifest);
  bench->commit("another yarn", "pnp-app");
  const Ran ran = bench->run({});
  EXPECT_NE(ran.exit, 0);
  EXPECT_THAT(ran.err + ran.out, HasSubstr("yarn 4.99.0 is not published"));
  EXPECT_THAT(bench->branches(), IsEmpty());
}

/// A suite of which nothing but the exit code is known.
class Weak : public testing::Test {
 protected:
  static Proven with(const std::string& policy, std::unique_ptr<ProveBench>& bench) {
    bench = ProveBench::open("weak-app");
    if (!policy.empty()) {
      test::write(bench->home() + "/policy/policy.yaml",
                  "schema: codegenie/policy/v1\ngates:\n  weak_tests: " + policy + "\n");
    }
    return bench->prove();
  }
};

TEST_F(Weak, IsABranchThatIsNotCalledProven) {
  std::unique_ptr<ProveBench> bench;
  const Proven proven = with("allow", bench);
  ASSERT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err;
  EXPECT_EQ(text_of(proven.gate("tests"), "weak"), "their exit code alone was judged");
  EXPECT_EQ(text_of(proven.outcome, "outcome"), "weak");
  EXPECT_EQ(text_of(list_of(proven.outcome, "commits").at(0), "outcome"), "weak");
  EXPECT_THAT(bench->events("proof_weak"), SizeIs(1));
  for (const char* format : {"pr-body", "markdown", "html", "commit-message"}) {
    const Ran report = bench->codegenie({"report", "latest", "--format", format});
    EXPECT_THAT(report.out, HasSubstr("their exit code alone was judged")) << format;
    EXPECT_THAT(report.out, HasSubstr("not proven")) << format;
  }
  EXPECT_EQ(bench->codegenie({"verify", "latest"}).exit, 0);
}

TEST_F(Weak, IsForAPersonOrRefusedWherePolicySaysSo) {
  for (const auto& [policy, exit] : {std::pair("handoff", 7), std::pair("refuse", 5)}) {
    std::unique_ptr<ProveBench> bench;
    const Proven proven = with(policy, bench);
    EXPECT_EQ(proven.ran.exit, exit) << proven.ran.out << proven.ran.err;
    EXPECT_THAT(bench->branches(), IsEmpty()) << policy;
    const auto ended = bench->events("attempt_ended");
    ASSERT_THAT(ended, SizeIs(1)) << "nothing is gained by trying again";
    EXPECT_EQ(text_of(ended[0], "failing"), "weak");
  }
}

TEST(WithoutASandbox, NothingPassesHoweverWellItRuns) {
  const auto bench = ProveBench::open("node-app");
  ASSERT_NE(bench, nullptr);
  const Proven proven = bench->prove({"--unsafe-no-sandbox"});
  EXPECT_EQ(proven.ran.exit, 5) << proven.ran.out << proven.ran.err;
  EXPECT_EQ(text_of(proven.outcome, "outcome"), "not_fixed");
  EXPECT_EQ(text_of(proven.outcome, "isolation_class"), "none");
  EXPECT_EQ(proven.state("tests"), "passed") << proven.reasons("tests");
  EXPECT_THAT(proven.ran.err, HasSubstr("sandbox"));
  EXPECT_THAT(bench->branches(), IsEmpty());
  const auto ended = bench->events("attempt_ended");
  ASSERT_THAT(ended, SizeIs(1));
  EXPECT_THAT(text_of(ended[0], "failing"), HasSubstr("isolation"));
}

class MissingTools : public testing::Test {
 protected:
  /// A PATH with git and what else is copied there.
  std::string tools(const ProveBench& bench, const std::vector<std::string>& copied) {
    const std::string folder = bench.path("tools");
    std::filesystem::create_directories(folder);
    for (const std::string& name : {std::string("git"), std::string("env")}) {
      std::filesystem::create_symlink("/usr/bin/" + name, folder + "/" + name);
    }
    for (const std::string& file : copied) {
      std::filesystem::copy_file(file, folder + file.substr(file.rfind('/')));
    }
    return "PATH=" + folder;
  }

  static void expect_unavailable(const ProveBench& bench, const std::string& path,
                                 const std::string& word) {
    const Ran ran = bench.run({}, {path});
    EXPECT_EQ(ran.exit, 6) << ran.out << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("error[CG-"));
    EXPECT_THAT(ran.err, HasSubstr(word));
    EXPECT_THAT(bench.branches(), IsEmpty());
  }
};

TEST_F(MissingTools, WithoutNodeNothingIsProvenAndThatIsSaid) {
  const auto bench = ProveBench::open("node-app");
  ASSERT_NE(bench, nullptr);
  expect_unavailable(*bench, tools(*bench, {}), "node");
}

TEST_F(MissingTools, WithoutNpmNothingIsProvenAndThatIsSaid) {
  const auto bench = ProveBench::open("node-app");
  ASSERT_NE(bench, nullptr);
  const Ran where = cg::test::run({"node", "-p", "process.execPath"});
  expect_unavailable(*bench, tools(*bench, {where.out.substr(0, where.out.size() - 1)}), "npm");
}

}  // namespace
}  // namespace cg::test
