// Test suites that want more than to be run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "prove/bench.h"

namespace cg::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

bool has_escapes(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == '\x7f';
  });
}

TEST(Hostile, WhatTestsPrintIsNeitherCountedNorActedUpon) {
  const auto bench = ProveBench::open("hostile-output");
  ASSERT_NE(bench, nullptr);
  const Proven proven = bench->prove();
  EXPECT_EQ(proven.ran.exit, 5) << proven.ran.out << proven.ran.err;
  EXPECT_THAT(proven.refusing(), ElementsAre("tests"));
  const json::Value tests = proven.gate("tests");
  EXPECT_EQ(number_of(member_of(tests, "before"), "passed"), 2);
  EXPECT_EQ(number_of(member_of(tests, "before"), "failed"), 0);
  EXPECT_EQ(number_of(member_of(tests, "after"), "passed"), 1);
  EXPECT_EQ(number_of(member_of(tests, "after"), "failed"), 1);
  EXPECT_THAT(proven.reasons("tests"), HasSubstr("has digits"));
  EXPECT_FALSE(has_escapes(proven.reasons("tests"))) << proven.reasons("tests");

  const Ran shown = bench->run({"--attempts", "1"});
  EXPECT_EQ(shown.exit, 5);
  EXPECT_FALSE(has_escapes(shown.out + shown.err)) << shown.out << shown.err;
  EXPECT_THAT(shown.out + shown.err, Not(HasSubstr("\xe2\x80\xae")));
  EXPECT_THAT(shown.out + shown.err, Not(HasSubstr("\xc2\x9b")));
  EXPECT_THAT(shown.out + shown.err, Not(HasSubstr("99 passed")));
  const Ran log = bench->codegenie({"workflow", "log", bench->last_workflow()});
  EXPECT_FALSE(has_escapes(log.out + log.err));
}

/// The same tests without any of it: they do see what there is.
void expect_seen_on_the_host(const ProveBench& bench, const std::vector<std::string>& env) {
  bench.write("control/node_modules/@proof/slug/index.js", "module.exports = () => 'a-b';\n");
  bench.write("control/test/slug.test.js",
              read(bench.path("hostile-environment/test/slug.test.js")));
  const Ran ran = run({"env", "-C", bench.path("control"), "node", "--test"}, env);
  EXPECT_EQ(ran.exit, 1);
  EXPECT_THAT(ran.out, HasSubstr("pass 1\n"));
  EXPECT_THAT(ran.out, HasSubstr("fail 1\n"));
}

TEST(Hostile, TestsSeeNothingOfTheOperator) {
  const auto bench = ProveBench::open("hostile-environment");
  ASSERT_NE(bench, nullptr);
  bench->write("home/.npmrc", "//registry.example/:_authToken=canary\n");
  bench->write("home/.ssh/id_ed25519", "canary\n");
  bench->write("home/.netrc", "machine registry.example password canary\n");
  const std::vector<std::string> env = {"GITHUB_TOKEN=canary", "npm_config_//x/:_auth=canary"};
  expect_seen_on_the_host(*bench, env);
  const Proven proven = bench->prove({}, env);
  EXPECT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err;
  for (const char* side : {"before", "after"}) {
    EXPECT_EQ(number_of(member_of(proven.gate("tests"), side), "passed"), 2) << side;
    EXPECT_EQ(number_of(member_of(proven.gate("tests"), side), "failed"), 0) << side;
  }
  EXPECT_THAT(proven.ran.out + proven.ran.err, Not(HasSubstr("canary")));
}

}  // namespace
}  // namespace cg::test
