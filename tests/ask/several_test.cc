// A package that is used in more files than one question holds: several are asked, and what they
// answered is tried together, on one branch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "ask/bench.h"
#include "base/base/text.h"
#include "flow/propose/sources.h"

namespace cg::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

constexpr int kPages = 40;
constexpr const char* kImport = "const marked = require('marked');";

std::string page_name(int i) { return "page" + std::to_string(100 + i); }

/// A file that uses the package in one function, which is long enough to matter.
std::string page(int i) {
  std::string out = std::string("'use strict';\n\n") + kImport + "\n\n/// Of " + page_name(i) +
                    ".\nfunction show(text) {\n  const parts = [];\n";
  for (int row = 0; row < 16; ++row) {
    out += "  parts.push('<section data-row=\"" + std::to_string(row) + "\">" + page_name(i) +
           "</section>');\n";
  }
  return out +
         "  return marked(text, { headerIds: false, mangle: false }) + parts.join('\\n');\n}\n\n"
         "module.exports = { show };\n";
}

/// Which files go together is for whoever shares them out; what is answered is for each to say.
class Several : public testing::Test {
 protected:
  void SetUp() override {
    bench_ = AskBench::open("press");
    if (bench_ == nullptr) GTEST_SKIP() << kNoPackages;
    std::string tests =
        "'use strict';\n\nconst assert = require('node:assert');\n"
        "const test = require('node:test');\n\n";
    for (int i = 0; i < kPages; ++i) {
      const std::string path = "src/pages/" + page_name(i) + ".js";
      bench_->write("press/" + path, page(i));
      files_[path] = page(i);
      tests += "test('" + page_name(i) + "', () => {\n  const { show } = require('../" + path +
               "');\n  assert.match(show('*a*'), /<em>a<\\/em>/);\n});\n";
    }
    bench_->write("press/test/pages.test.js", tests);
    bench_->commit("many pages", "press");
    for (const char* path : {"src/article.js", "src/feed.js"}) {
      files_[path] = read(bench_->path("press/" + std::string(path)));
    }
    for (const propose::Part& part : propose::sources_among(files_, "marked").parts) {
      std::vector<std::string>& paths = parts_.emplace_back();
      for (const auto& [path, text] : part.texts) paths.push_back(path);
    }
    ASSERT_GE(parts_.size(), 3U);
  }

  static std::string change_of(const std::string& path, const std::string& old) {
    return "--- a/" + path + "\n+++ b/" + path + "\n@@\n 'use strict';\n \n-" + old +
           "\n+const { marked } = require('marked');\n";
  }
  static json::Value rewrite(const std::vector<std::string>& paths,
                             const std::string& old = kImport) {
    json::Value::Array files;
    std::string diff;
    for (const std::string& path : paths) {
      files.emplace_back(path);
      diff += change_of(path, old);
    }
    return say(json::write_json(json::Value::Object{{"kind", "callsite_rewrite"},
                                                    {"manifest_path", "package.json"},
                                                    {"files", std::move(files)},
                                                    {"diff", diff},
                                                    {"rationale", "It is taken by its name."}}));
  }
  /// What each part answers if it is right.
  [[nodiscard]] std::vector<json::Value> right() const {
    std::vector<json::Value> out;
    for (const auto& paths : parts_) out.push_back(rewrite(paths));
    return out;
  }
  void expect_branch() const {
    std::set<std::string> all = {"package-lock.json", "package.json"};
    for (const auto& [path, text] : files_) all.insert(path);
    std::string lines;
    for (const std::string& path : all) lines += (lines.empty() ? "" : "\n") + path;
    ASSERT_EQ(bench_->changed_files(), lines);
    const std::string branch = bench_->branches().begin()->first;
    for (const auto& [path, text] : files_) {
      EXPECT_EQ(bench_->git({"show", branch + ":" + path}, "press") + "\n",
                replaced(text, kImport, "const { marked } = require('marked');"));
    }
    bench_->expect_sound();
  }
  /// Attempts and calls as the log has them, "2 1" is the first call, in attempt 2.
  [[nodiscard]] std::vector<std::string> calls() const {
    std::vector<std::string> out;
    for (const json::Value& one : bench_->events("leaf_invoked")) {
      out.push_back(std::to_string(number_of(one, "attempt")) + " " +
                    std::to_string(number_of(one, "call")));
    }
    return out;
  }
  /// One question after the other, all in attempt 2.
  [[nodiscard]] std::vector<std::string> first_calls() const {
    std::vector<std::string> out;
    for (std::size_t i = 1; i <= parts_.size(); ++i) out.push_back("2 " + std::to_string(i));
    return out;
  }
  /// The number-th question is about that part: shows all of it, lists it, and nothing else.
  void expect_about(std::size_t number, std::size_t part) const {
    const Prompt prompt = bench_->prompt(number);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      for (const std::string& path : parts_[i]) {
        const bool listed = prompt.ours.find("\n- " + path + "\n") != std::string::npos;
        EXPECT_EQ(listed, i == part) << path;
        EXPECT_EQ(prompt.ours.find("Source (" + path) != std::string::npos, i == part) << path;
      }
    }
    const std::size_t others = files_.size() - parts_[part].size();
    EXPECT_THAT(prompt.ours,
                HasSubstr(std::to_string(others) + " more files use the package. Each "
                                                   "is asked about in another question"));
  }

  /// The second part's first answer fails, in attempt 2, and it alone is asked again.
  void expect_second_recovers(const json::Value& wrong) const {
    std::vector<json::Value> answers = right();
    answers[1] = wrong;
    answers.push_back(rewrite(parts_[1]));
    bench_->world().answer(answers);
    const Proven proven = bench_->ask();
    ASSERT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err << bench_->tape();
    expect_branch();
    std::vector<std::string> expected = first_calls();
    expected.push_back("3 " + std::to_string(parts_.size() + 1));
    EXPECT_EQ(calls(), expected);
    expect_about(parts_.size(), 1);
  }

  std::unique_ptr<AskBench> bench_;
  std::map<std::string, std::string> files_;
  std::vector<std::vector<std::string>> parts_;
};

TEST_F(Several, QuestionsMakeOneBranchAndOneRunOfTheGates) {
  bench_->world().answer(right());
  const Proven proven = bench_->ask();
  ASSERT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err << bench_->tape();
  EXPECT_EQ(text_of(proven.outcome, "outcome"), "fixed");
  expect_branch();
  EXPECT_EQ(calls(), first_calls());
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    expect_about(i, i);
    EXPECT_TRUE(bench_->prompt(i).only_fenced("Turned down by: "));
  }
  // The breaking version alone, and all answers together.
  const auto ended = bench_->events("attempt_ended");
  ASSERT_THAT(ended, SizeIs(2));
  EXPECT_EQ(number_of(ended[1], "attempt"), 2);
  EXPECT_EQ(text_of(ended[1], "failing"), "");
  EXPECT_THAT(bench_->events("plan_proposal_accepted"), SizeIs(parts_.size()));
  EXPECT_EQ(number_of(member_of(proven.gate("tests"), "after"), "passed"), 6 + kPages);
  // Each call is paid for on its own: 1200 in and 300 out.
  EXPECT_THAT(bench_->events("budget_reconciled"), SizeIs(parts_.size()));
  EXPECT_EQ(number_of(member_of(proven.outcome, "spend"), "tokens"),
            static_cast<std::int64_t>(1500 * parts_.size()));
}

/// Each question can be seen: before it is sent, and as it was.
TEST_F(Several, EachPartIsShown) {
  const auto user_of = [](const Ran& ran) {
    EXPECT_EQ(ran.exit, 0) << ran.err;
    const auto page = json::parse_json(ran.out, {.max_bytes = ran.out.size() + 1});
    return page ? text_of(*page, "user") : std::string();
  };
  const std::vector<std::string> before = {
      "prompt", "show", "press", "--all", "--no-gates", "--registry", bench_->world().registry(),
      "--json"};
  for (std::size_t part = 0; part < 2; ++part) {
    std::vector<std::string> words = before;
    words.insert(words.end(), {"--part", std::to_string(part + 1)});
    const std::string user = user_of(bench_->inside(words, {}));
    EXPECT_THAT(user, HasSubstr("\n- " + parts_[part].front() + "\n"));
    EXPECT_THAT(user, Not(HasSubstr("\n- " + parts_[1 - part].front() + "\n")));
  }
  std::vector<std::string> beyond = before;
  beyond.insert(beyond.end(), {"--part", "8"});
  EXPECT_EQ(bench_->inside(beyond, {}).exit, 2);

  bench_->world().answer(right());
  ASSERT_EQ(bench_->ask().ran.exit, 0) << bench_->tape();
  const std::string sent = user_of(bench_->inside(
      {"prompt", "show", "--workflow", bench_->last_workflow(), "--part", "2", "--json"}, {}));
  EXPECT_THAT(sent, HasSubstr("\n- " + parts_[1].front() + "\n"));
}

/// One file is left as it was: its test fails, which names it, and only its question is put again.
TEST_F(Several, WhatTheFailuresNameIsAskedAgainAndNothingElse) {
  std::vector<std::string> some = parts_[1];
  some.pop_back();
  expect_second_recovers(rewrite(some));
  const Prompt retry = bench_->prompt(parts_.size());
  EXPECT_TRUE(retry.only_fenced("Turned down by: tests"));
  EXPECT_TRUE(retry.only_fenced("+++ b/" + some.front())) << "its own diff";
  EXPECT_THAT(retry.fenced, Each(Not(HasSubstr("+++ b/" + parts_[0].front()))));
  const auto ended = bench_->events("attempt_ended");
  ASSERT_THAT(ended, SizeIs(3));
  EXPECT_EQ(text_of(ended[1], "failing"), "tests");
  EXPECT_EQ(number_of(ended[2], "attempt"), 3);
}

/// Nothing is tried before all can be; what was right is kept, and not paid for twice.
TEST_F(Several, AnAnswerThatIsTurnedDownIsToldToItsOwnQuestion) {
  expect_second_recovers(rewrite(parts_[1], "const marked = require('marked').hallucinated;"));
  EXPECT_TRUE(bench_->prompt(parts_.size()).only_fenced("From line 1 on " + parts_[1].front()));
  const auto ended = bench_->events("attempt_ended");
  ASSERT_THAT(ended, SizeIs(3));  // the first is the breaking version alone
  EXPECT_EQ(text_of(ended[1], "failing"), "proposal");
  EXPECT_EQ(text_of(ended[2], "failing"), "");
  const auto rejected = bench_->events("plan_proposal_rejected");
  ASSERT_THAT(rejected, SizeIs(1));
  EXPECT_EQ(number_of(rejected[0], "violations"), 0);
}

/// What another question shows may not be changed by this one.
TEST_F(Several, NobodyChangesWhatAnotherWasShown) {
  std::vector<json::Value> answers = right();
  answers[0] = rewrite({parts_[0].front(), parts_[1].front()});
  answers.push_back(rewrite(parts_[0]));
  bench_->world().answer(answers);
  const Proven proven = bench_->ask();
  ASSERT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err << bench_->tape();
  expect_branch();
  const auto rejected = bench_->events("plan_proposal_rejected");
  ASSERT_THAT(rejected, SizeIs(1));
  EXPECT_EQ(text_of(rejected[0], "reason"), "file_not_shown");
}

/// Who refuses is asked once more, before anything is spent on the questions behind it.
TEST_F(Several, ARefusalIsAskedAboutOnceMore) {
  const json::Value refusal =
      say(R"({"kind":"refuse","reason":"insufficient_context","rationale":"I cannot"})");
  std::vector<json::Value> answers = right();
  answers.insert(answers.begin() + 1, refusal);
  bench_->world().answer(answers);
  const Proven proven = bench_->ask();
  ASSERT_EQ(proven.ran.exit, 0) << proven.ran.out << proven.ran.err << bench_->tape();
  expect_branch();
  std::vector<std::string> expected = {"2 1", "2 2"};
  for (std::size_t i = 1; i < parts_.size(); ++i) expected.push_back("3 " + std::to_string(i + 2));
  EXPECT_EQ(calls(), expected);
  EXPECT_TRUE(bench_->prompt(2).only_fenced("the last answer to this question was a refusal"));
}

TEST_F(Several, TwoRefusalsEndIt) {
  const json::Value refusal =
      say(R"({"kind":"refuse","reason":"out_of_scope","rationale":"I cannot"})");
  bench_->world().answer({refusal, refusal});
  const Proven proven = bench_->ask();
  EXPECT_EQ(proven.ran.exit, 7) << proven.ran.out << proven.ran.err;
  EXPECT_THAT(bench_->world().requests(), SizeIs(2));
  EXPECT_THAT(bench_->branches(), testing::IsEmpty());
  bench_->expect_sound();
}

/// The budget ends it between two questions of one attempt: nothing is tried, and nothing lost.
TEST_F(Several, TheBudgetCountsEachQuestion) {
  bench_->world().answer(right());
  // What one call sets aside and little more: each costs 1500 in the end, so the next ones fit or
  // do not by that much.
  std::uint64_t budget = 27'000;
  for (; budget < 34'000 && bench_->world().requests().empty(); budget += 1500) {
    const Proven proven = bench_->ask({"--budget-tokens", std::to_string(budget)});
    ASSERT_EQ(proven.ran.exit, 7) << proven.ran.out << proven.ran.err;
  }
  const std::size_t asked = bench_->world().requests().size();
  EXPECT_THAT(asked, AllOf(testing::Ge(1U), testing::Lt(parts_.size()))) << budget;
  EXPECT_THAT(bench_->events("budget_reconciled"), SizeIs(asked));
  EXPECT_THAT(bench_->events("budget_exceeded"), SizeIs(1));
  EXPECT_THAT(bench_->branches(), testing::IsEmpty());
  bench_->expect_sound();
}

}  // namespace
}  // namespace cg::test
