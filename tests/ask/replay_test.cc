// Exchanges are recorded once and played back without any network: the same branch and the
// same events every time, and a key in none of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "ask/bench.h"

namespace cg::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// CG_SAME_RUNS in the environment asks for another number: ./check --long for 20.
int runs() {
  const char* wanted = std::getenv("CG_SAME_RUNS");
  return wanted == nullptr ? 3 : std::atoi(wanted);
}

struct Made {
  Files commits;
  std::string diff;
  std::string events;
};

class Replaying : public testing::TestWithParam<std::vector<std::string>> {
 protected:
  /// "press.right" is a project's answer.
  static std::unique_ptr<AskBench> recorded(const std::vector<std::string>& answers) {
    const std::string project = answers[0].substr(0, answers[0].find('.'));
    auto bench = AskBench::open(project);
    if (bench == nullptr) return nullptr;
    bench->answers(answers);
    fs::create_directories(bench->path("cassettes"));
    const Proven proven = bench->ask({"--cassette", tape_of(*bench), "--unsafe-record"});
    EXPECT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err << bench->tape();
    EXPECT_THAT(bench->events("cassette_recorded"), SizeIs(1)) << bench->tape();
    return bench;
  }

  static std::string tape_of(const AskBench& bench) { return bench.path("cassettes/press.jsonl"); }

  /// Outside, with neither network nor key.
  static Ran play(const AskBench& bench, const std::vector<std::string>& env = {}) {
    std::vector<std::string> words = {"unshare", "--net"};
    if (geteuid() != 0) words.emplace_back("--map-root-user");
    words.insert(words.end(), {"env", "-C", bench.path(""), CG_BINARY});
    const auto command = bench.command({"--cassette", tape_of(bench), "--offline", "--fresh"});
    words.insert(words.end(), command.begin(), command.end());
    std::vector<std::string> all = bench.environment();
    all.insert(all.end(), {"CREDENTIALS_DIRECTORY", "DBUS_SESSION_BUS_ADDRESS"});
    all.insert(all.end(), env.begin(), env.end());
    return run(words, all);
  }

  static Made made(const AskBench& bench) {
    Made out;
    out.commits = bench.branches();
    for (const auto& [branch, commit] : out.commits) {
      out.diff += bench.git({"diff", "--binary", "main", branch}, bench.project());
    }
    out.events = bench.same_events();
    return out;
  }

  static void forget_branches(const AskBench& bench) {
    for (const auto& [branch, commit] : bench.branches()) {
      bench.git({"branch", "-q", "-D", branch}, bench.project());
    }
  }
};

TEST_P(Replaying, EveryRunMakesTheSameBranchAndEvents) {
  const auto bench = recorded(GetParam());
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  const Files template_files = bench->branches();
  const std::string recorded_diff = made(*bench).diff;
  EXPECT_NE(recorded_diff, "");
  const std::size_t seen = bench->world().seen().size();
  Made first;
  for (int i = 0; i < runs(); ++i) {
    forget_branches(*bench);
    const std::string zone = "TZ=Etc/GMT" + std::string(i % 2 == 0 ? "+" : "-") +
                             std::to_string(i % 12);  // must not matter
    const Ran ran = play(*bench, {zone});
    ASSERT_EQ(ran.exit, 0) << i << ": " << ran.out << ran.err << bench->tape();
    const Made again = made(*bench);
    ASSERT_EQ(again.diff, recorded_diff) << i;
    if (i == 0) first = again;
    ASSERT_EQ(again.commits, first.commits) << i;
    ASSERT_EQ(again.events, first.events) << i;
  }
  EXPECT_THAT(bench->events("cassette_loaded"), SizeIs(1));
  EXPECT_EQ(bench->world().seen().size(), seen) << "somebody was asked again";
  bench->expect_sound();
  bench->expect_no_key({});
  expect_tape("replay_" + std::string(GetParam().size() == 1 ? "once" : "twice"), bench->tape());
}

INSTANTIATE_TEST_SUITE_P(Answers, Replaying,
                         testing::Values(std::vector<std::string>{"press.right"},
                                         std::vector<std::string>{"press.wrong", "press.right"}),
                         [](const auto& one) {
                           return one.param.size() == 1 ? "AtOnce" : "OnTheSecondAttempt";
                         });

class Cassettes : public Replaying {};

TEST_F(Cassettes, AKeyIsInNoneAndTheFolderIsContent) {
  const auto bench = recorded({"press.right"});
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  const Ran checked = bench->codegenie({"cassette", "check", bench->path("cassettes")});
  EXPECT_EQ(checked.exit, 0) << checked.out << checked.err;
  const std::string text = read(tape_of(*bench));
  EXPECT_THAT(text, HasSubstr("callsite_rewrite"));
  for (const char* header : {"x-api-key", "authorization", "set-cookie"}) {
    EXPECT_THAT(text, testing::Not(HasSubstr(header)));
  }
  bench->expect_no_key({checked});
}

TEST_F(Cassettes, WhatIsReplayedIsNotCalledSpent) {
  const auto bench = recorded({"press.right"});
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  forget_branches(*bench);
  const Ran ran = play(*bench);
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  const auto outcome = json::parse_json(ran.out, {.max_bytes = ran.out.size() + 1});
  ASSERT_TRUE(outcome.has_value()) << ran.out;
  const json::Value spend = member_of(*outcome, "spend");
  EXPECT_EQ(number_of(spend, "tokens"), 0);
  EXPECT_EQ(text_of(spend, "usd"), "0.00");
  const json::Value before = member_of(spend, "replayed");
  EXPECT_EQ(number_of(before, "tokens"), 1500);
  EXPECT_EQ(text_of(before, "usd"), "0.0081");
  const Ran body = bench->codegenie({"report", "latest", "--format", "pr-body"});
  EXPECT_THAT(body.out,
              HasSubstr("0.00 spent, recorded answers replayed (they had cost &#36;0.0081)"));
  bench->expect_sound();
}

TEST_F(Cassettes, InCiNothingIsRecorded) {
  const auto bench = AskBench::open("press");
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  bench->answers({"press.right"});
  const Proven proven = bench->ask({"--cassette", tape_of(*bench), "--unsafe-record"}, {"CI=1"});
  EXPECT_EQ(proven.ran.exit, 6) << proven.ran.out << proven.ran.err;
  EXPECT_THAT(proven.ran.err, HasSubstr("CI"));
  EXPECT_THAT(bench->world().seen(), IsEmpty());
  EXPECT_FALSE(fs::exists(tape_of(*bench)));
}

TEST_F(Cassettes, WhatWasNeverRecordedFails) {
  const auto bench = recorded({"press.right"});
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  forget_branches(*bench);
  // Another text in what is shown is another question.
  const std::string file = bench->path("press/src/article.js");
  std::string text = read(file);
  write(file, text.replace(text.find("const body"), 10, "const html"));
  bench->commit("another name", "press");
  const Ran ran = play(*bench);
  EXPECT_NE(ran.exit, 0) << ran.out;
  EXPECT_THAT(bench->events("cassette_missed"), SizeIs(1)) << bench->tape();
  EXPECT_THAT(bench->branches(), IsEmpty());
}

TEST_F(Cassettes, OneThatWasEditedIsNotPlayed) {
  const auto bench = recorded({"press.right"});
  if (bench == nullptr) GTEST_SKIP() << kNoPackages;
  forget_branches(*bench);
  std::string text = read(tape_of(*bench));
  const std::size_t at = text.find("src/feed.js");
  ASSERT_NE(at, text.npos);
  write(tape_of(*bench), text.replace(at, 11, "src/fees.js"));
  const Ran ran = play(*bench);
  EXPECT_NE(ran.exit, 0) << ran.out;
  EXPECT_THAT(ran.err, HasSubstr("cassette"));
  EXPECT_THAT(bench->branches(), IsEmpty());
}

}  // namespace
}  // namespace cg::test
