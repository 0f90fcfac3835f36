// What a person solved: proven, remembered, and carried over like what a model had thought of.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ask/bench.h"

namespace cg::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr const char* kAdvisory = "GHSA-rrrm-qjm4-v8hf";
constexpr const char* kSafe = "4.0.10";

void replace_in(const std::string& path, const std::string& from, const std::string& to) {
  std::string text = read(path);
  const std::size_t at = text.find(from);
  ASSERT_NE(at, text.npos) << path;
  write(path, text.replace(at, from.size(), to));
}

class ByHand : public testing::Test {
 protected:
  /// `press` with a branch `by-hand` on which somebody moved the package and rewrote its callers.
  void SetUp() override {
    bench_ = AskBench::open("press");
    if (bench_ == nullptr) GTEST_SKIP() << kNoPackages;
    ASSERT_EQ(run({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key()}).exit, 0);
    bench_->git({"checkout", "-q", "-b", "by-hand"}, "press");
    for (const char* file : {"article", "feed"}) {
      replace_in(at(std::string("src/") + file + ".js"), "const marked = require('marked');",
                 "const { marked } = require('marked');");
    }
    std::string lock = read(at("package-lock.json"));
    const std::size_t entry = lock.find("\"node_modules/marked\"");
    const std::size_t begin = lock.find("\"version\": \"", entry) + 12;
    write(at("package-lock.json"), lock.replace(begin, lock.find('"', begin) - begin, kSafe));
  }

  void commit(const std::vector<std::string>& words = {}) {
    std::vector<std::string> all = {
        "-c", "gpg.format=ssh", "-c", "user.signingkey=" + key(), "commit", "-q", "-a",
        "-m", "Take marked 4"};
    all.insert(all.end(), words.begin(), words.end());
    bench_->git(all, "press");
    bench_->git({"checkout", "-q", "main"}, "press");
  }
  void trust(const std::string& name_space) {
    write(bench_->home() + "/policy/allowed_signers",
          "reviewer@example namespaces=\"" + name_space + "\" " + read(key() + ".pub"));
  }
  [[nodiscard]] Ran learn(const std::vector<std::string>& words = {}) const {
    std::vector<std::string> all = {"rag",      "learn",      "press",
                                    "--cve",    kAdvisory,    "--from-branch",
                                    "by-hand",  "--registry", bench_->world().registry(),
                                    "--format", "json"};
    all.insert(all.end(), words.begin(), words.end());
    return bench_->inside(all, {});
  }
  /// The only lesson that the run tells of.
  static json::Value lesson_in(const Ran& ran) {
    const auto parsed = json::parse_json(ran.out);
    if (!parsed) return {};
    const json::Value::Array all = list_of(*parsed, "lessons");
    return all.size() == 1 ? all.front() : json::Value();
  }
  [[nodiscard]] std::string at(const std::string& file) const {
    return bench_->path("press/" + file);
  }
  [[nodiscard]] std::string key() const { return bench_->path("key"); }

  std::unique_ptr<AskBench> bench_;
};

TEST_F(ByHand, WhatSomebodySignedAndTheGatesLetPassIsCarriedOverElsewhere) {
  commit({"-S"});
  trust("git");
  const std::string main = bench_->git({"rev-parse", "main"}, "press");
  const Ran ran = learn();
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err << bench_->tape();
  const json::Value lesson = lesson_in(ran);
  EXPECT_EQ(text_of(lesson, "package"), "marked");
  EXPECT_EQ(text_of(lesson, "to"), kSafe);
  EXPECT_THAT(list_of(lesson, "files"), SizeIs(2));
  const std::string record = text_of(lesson, "record");
  const auto read = bench_->events("persons_fix_read");
  ASSERT_THAT(read, SizeIs(1));
  EXPECT_EQ(text_of(read[0], "base"), main);
  EXPECT_EQ(text_of(read[0], "commit"), bench_->git({"rev-parse", "by-hand"}, "press"));
  EXPECT_THAT(bench_->branches(), IsEmpty()) << "nothing is written into the repository";
  const Ran shown = bench_->inside({"rag", "show", record, "--json"}, {});
  EXPECT_THAT(shown.out, HasSubstr("\"author\": \"person\""));

  const Ran again = learn();
  EXPECT_EQ(again.exit, 0) << again.err;
  EXPECT_EQ(text_of(lesson_in(again), "record"), record);
  EXPECT_THAT(again.out, HasSubstr("\"known\": true"));

  bench_->take("gazette");
  const Proven carried = bench_->ask();
  ASSERT_EQ(carried.ran.exit, 0) << carried.ran.err << bench_->tape();
  EXPECT_EQ(text_of(carried.outcome, "tier"), "rag");
  EXPECT_THAT(bench_->world().requests(), IsEmpty());
  bench_->expect_sound();
}

TEST_F(ByHand, WithoutASignatureOfSomebodyWhoMayNothingIsRun) {
  commit();
  trust("git");
  const Ran unsigned_one = learn();
  EXPECT_EQ(unsigned_one.exit, 7) << unsigned_one.err;
  EXPECT_THAT(unsigned_one.out + unsigned_one.err, HasSubstr("CG-RAG-006"));
  EXPECT_THAT(bench_->events("step_ran"), IsEmpty());
}

TEST_F(ByHand, WhoMaySignSomethingElseMayNotTeach) {
  commit({"-S"});
  trust("codegenie-rag");
  const Ran ran = learn();
  EXPECT_EQ(ran.exit, 7) << ran.err;
  EXPECT_THAT(ran.out + ran.err, HasSubstr("CG-RAG-006"));
  EXPECT_THAT(bench_->events("step_ran"), IsEmpty());
}

TEST_F(ByHand, WhatTheTestsTurnDownIsNotLearnedThoughItChangesThem) {
  replace_in(at("src/feed.js"), "const { marked } = require('marked');",
             "const marked = (text) => text;");
  bench_->git({"rm", "-q", "test/feed.test.js"}, "press");
  commit({"-S"});
  trust("git");
  const Ran ran = learn();
  EXPECT_EQ(ran.exit, 5) << ran.out << ran.err;
  EXPECT_TRUE(lesson_in(ran).find("record")->is_null());
  EXPECT_THAT(ran.err, HasSubstr("test/feed.test.js is changed by the commit, and is left"));
  EXPECT_THAT(text_of(lesson_in(ran), "why"), Not(IsEmpty()));
  EXPECT_THAT(bench_->inside({"rag", "list"}, {}).out, HasSubstr("No solved examples yet"));
}

TEST_F(ByHand, ACommitThatAddsFilesIsNoRewrite) {
  write(at("src/helper.js"), "module.exports = 1;\n");
  bench_->git({"add", "src/helper.js"}, "press");
  commit({"-S"});
  trust("git");
  const Ran ran = learn();
  EXPECT_EQ(ran.exit, 5) << ran.out << ran.err;
  EXPECT_THAT(text_of(lesson_in(ran), "why"), HasSubstr("it adds src/helper.js"));
  EXPECT_THAT(bench_->events("step_ran"), IsEmpty());
}

}  // namespace
}  // namespace cg::test
