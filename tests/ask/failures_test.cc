// A model that cannot be asked: what is wrong is told, and the exit code says whose turn it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ask/bench.h"

namespace cg::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string failure_of(const AskBench& bench) {
  const auto failed = bench.events("leaf_failed");
  return failed.empty() ? "" : text_of(failed.back(), "kind");
}

/// What a person reads who asks for no JSON.
std::string said_in_words(const AskBench& bench, const std::vector<std::string>& env) {
  const Ran ran = bench.inside({"remediate", bench.project(), "--all", "--max-tier", "llm",
                                "--registry", bench.world().registry()},
                               env);
  return ran.out + ran.err;
}

TEST(Failing, AnotherKeyBehindATrustedCertificateGetsNotOneByte) {
  const auto bench = AskBench::open("press", Shown::other);
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  bench->answers({"press.right"});
  const Proven proven = bench->ask();
  EXPECT_EQ(proven.ran.exit, 6) << proven.ran.out << proven.ran.err;
  EXPECT_THAT(bench->events("egress_cert_pin_failed"), SizeIs(1));
  EXPECT_EQ(failure_of(*bench), "pin_mismatch");
  EXPECT_GE(bench->world().connections(), 1U);
  EXPECT_THAT(bench->world().requests(), IsEmpty());
  EXPECT_THAT(bench->branches(), IsEmpty());
  bench->expect_no_key({proven.ran});
  expect_tape("pin_mismatch", bench->tape());
}

TEST(Failing, WithoutAPinNobodyIsDialled) {
  const auto bench = AskBench::open("press");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  bench->answers({"press.right"});
  std::filesystem::remove(bench->home() + "/policy/leaf-pins.yaml");
  const Proven proven = bench->ask();
  EXPECT_EQ(proven.ran.exit, 6) << proven.ran.out << proven.ran.err;
  EXPECT_EQ(failure_of(*bench), "no_pin");
  EXPECT_THAT(bench->world().seen(), IsEmpty());
  EXPECT_THAT(said_in_words(*bench, {bench->key_store()}), HasSubstr("codegenie key pin"));
}

TEST(Failing, WithoutAKeyThereIsNoQuestion) {
  const auto bench = AskBench::open("press");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  bench->answers({"press.right"});
  const Proven proven = bench->ask({}, {"CREDENTIALS_DIRECTORY"});
  EXPECT_EQ(proven.ran.exit, 6) << proven.ran.out << proven.ran.err;
  EXPECT_EQ(failure_of(*bench), "no_key");
  EXPECT_THAT(bench->world().requests(), IsEmpty());
  EXPECT_THAT(bench->branches(), IsEmpty());
  expect_tape("no_key", bench->tape());
  EXPECT_THAT(said_in_words(*bench, {}), HasSubstr("codegenie key set"));
}

TEST(Failing, AKeyOfTheEnvironmentNeedsBothWords) {
  const auto bench = AskBench::open("press");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  bench->answers({"press.right"});
  const std::string key = "CODEGENIE_ANTHROPIC_KEY_CI=" + bench->key();
  for (const char* word : {"CI=1", "ALLOW_CI_ENV_KEY=1"}) {
    const Proven proven = bench->ask({}, {"CREDENTIALS_DIRECTORY", key, word});
    EXPECT_EQ(proven.ran.exit, 6) << proven.ran.out << proven.ran.err;
    bench->expect_no_key({proven.ran});
  }
  EXPECT_THAT(bench->world().requests(), IsEmpty());
  const Proven both = bench->ask({}, {"CREDENTIALS_DIRECTORY", key, "CI=1", "ALLOW_CI_ENV_KEY=1"});
  ASSERT_EQ(both.ran.exit, 0) << both.ran.out << both.ran.err << bench->tape();
  ASSERT_THAT(bench->events("leaf_key_loaded"), SizeIs(1));
  EXPECT_EQ(text_of(bench->events("leaf_key_loaded")[0], "source"), "env_ci_explicit");
  bench->expect_no_key({both.ran});
}

TEST(Failing, AServerThatIsNotThereIsNobodysFault) {
  const auto bench = AskBench::open("press");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  const Ran gone = run(bench->world().inside({"ip", "address", "del", "44.0.0.1/32", "dev", "lo"}));
  ASSERT_EQ(gone.exit, 0) << gone.err;
  // Another, so that names are still looked up.
  const Ran other =
      run(bench->world().inside({"ip", "address", "add", "44.0.0.2/32", "dev", "lo"}));
  ASSERT_EQ(other.exit, 0) << other.err;
  const Proven proven = bench->ask();
  EXPECT_EQ(proven.ran.exit, 10) << proven.ran.out << proven.ran.err;
  EXPECT_EQ(failure_of(*bench), "unreachable");
  EXPECT_THAT(bench->branches(), IsEmpty());
  const auto settled = bench->events("budget_reconciled");
  ASSERT_THAT(settled, SizeIs(1));
  EXPECT_EQ(text_of(settled[0], "usd"), "0.00") << "what was never sent costs nothing";
  expect_tape("unreachable", bench->tape());
}

TEST(Failing, WhoIsAskedToWaitWaitsAndAsksAgain) {
  const auto bench = AskBench::open("press");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  bench->world().answer({status(429, "1"), say(answer_text("press.right"))});
  const Proven proven = bench->ask();
  ASSERT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err << bench->tape();
  EXPECT_EQ(text_of(proven.outcome, "outcome"), "fixed");
  EXPECT_THAT(bench->world().requests(), SizeIs(2));
  expect_tape("waits", bench->tape());
}

TEST(Failing, ARedirectIsNotFollowedAndTellsNobodyTheKey) {
  const auto bench = AskBench::open("press");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  bench->world().answer({json::Value::Object{
      {"status", json::Value(std::int64_t{307})},
      {"headers", json::Value::Object{{"location", "https://elsewhere.example/v1/messages"}}},
      {"body", ""}}});
  const Proven proven = bench->ask();
  EXPECT_NE(proven.ran.exit, 0) << proven.ran.out;
  EXPECT_EQ(failure_of(*bench), "refused");
  EXPECT_THAT(bench->world().requests(), SizeIs(1));
  EXPECT_THAT(bench->branches(), IsEmpty());
  bench->expect_no_key({proven.ran});
}

TEST(Failing, AnAnswerThatBreaksOffHasCostWhatItMayHaveCost) {
  const auto bench = AskBench::open("press");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  bench->world().answer({json::Value::Object{{"hang", true}}});
  const Proven proven = bench->ask();
  EXPECT_NE(proven.ran.exit, 0) << proven.ran.out;
  EXPECT_THAT(bench->branches(), IsEmpty());
  const auto settled = bench->events("budget_reconciled");
  ASSERT_FALSE(settled.empty()) << bench->tape();
  EXPECT_EQ(text_of(settled[0], "known"), "no");
}

TEST(Failing, ProxiesOfTheEnvironmentAreNotUsed) {
  const auto bench = AskBench::open("press");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  bench->answers({"press.right"});
  const std::string proxy = "http://127.0.0.1:9";
  const Proven proven =
      bench->ask({}, {"https_proxy=" + proxy, "HTTPS_PROXY=" + proxy, "ALL_PROXY=" + proxy});
  EXPECT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err << bench->tape();
}

}  // namespace
}  // namespace cg::test
