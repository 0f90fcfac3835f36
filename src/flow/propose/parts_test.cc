#include "flow/propose/parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json/json.h"
#include "model/proposal/world.h"

namespace cg::propose {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Sources three_files() {
  Sources out;
  for (const char* path : {"src/a.js", "src/b.js", "lib/c.ts"}) {
    Part& part = out.parts.emplace_back();
    part.texts[path] = std::string("// ") + path;
    part.snippets.push_back({SourceKind::source_snippet, path, path, 1});
  }
  return out;
}

class PartsTest : public testing::Test {
 protected:
  PartsTest() : parts_(common(), three_files()) {}

  static tiers::Question common() {
    tiers::Question out;
    out.group = "g";
    out.task.package = "menu";
    out.texts = {{SourceKind::cve_description, "a hole", ""}};
    return out;
  }
  proposal::Accepted accepted(const proposal::Proposal& said) {
    const proposal::Known known = world_.known();
    return proposal::judge(said, known).value();
  }
  static proposal::Proposal bump(const char* target) {
    return proposal::DepBump{proposal::RepoPath::parse("package.json").value(),
                             proposal::PackageName::parse("menu").value(),
                             proposal::test::version(target), "because"};
  }
  void answer(std::size_t part, unsigned attempt = 2) {
    const proposal::Proposal said = bump("3.0.0");
    parts_.all()[part].said = Said{accepted(said), {said, {}, {}}, attempt};
  }
  void answer_all() {
    for (std::size_t i = 0; i < parts_.all().size(); ++i) answer(i);
  }
  static gate::AttemptSummary failed(unsigned number, const std::string& errors) {
    return {number, {"tests"}, {}, errors, {"rewritten src/a.js, src/b.js"}};
  }
  std::vector<std::size_t> due(const std::vector<gate::AttemptSummary>& history,
                               std::string_view folder = "") {
    return parts_.due(history, folder);
  }

  proposal::test::World world_;
  Parts parts_;
};

TEST_F(PartsTest, EachShowsItsOwnFilesAndSaysThatThereAreOthers) {
  ASSERT_EQ(parts_.all().size(), 3U);
  for (const PartAsked& part : parts_.all()) {
    EXPECT_EQ(part.question.task.files.size(), 1U);
    EXPECT_EQ(part.question.task.elsewhere, 2U);
    ASSERT_EQ(part.question.texts.size(), 2U);
    EXPECT_EQ(part.question.texts[0].payload, "a hole");
    EXPECT_EQ(part.question.texts[1].payload, part.question.task.files[0]);
    EXPECT_EQ(part.files.size(), 1U);
  }
  Sources one = three_files();
  one.parts.resize(1);
  EXPECT_EQ(Parts(common(), one).all()[0].question.task.elsewhere, 0U);
  EXPECT_FALSE(Parts(common(), one).several());
}

TEST_F(PartsTest, AllAreAskedAtFirstAndThenThoseThatTheFailuresName) {
  const gate::AttemptSummary bare = failed(1, "TypeError: x\n  at f (src/b.js:3)");
  EXPECT_THAT(due({bare}), ElementsAre(0, 1, 2)) << "none has an answer";
  answer_all();
  EXPECT_THAT(due({bare, failed(2, "TypeError: x\n  at f (src/b.js:3)")}), ElementsAre(1));
  EXPECT_THAT(due({bare, failed(2, "lib/c.ts(3,4): error TS2305, and in ./src/a.js")}),
              ElementsAre(0, 2));
  EXPECT_THAT(due({bare, failed(2, "1 is not 2")}), ElementsAre(0, 1, 2)) << "nobody is named";
  gate::AttemptSummary by_test = failed(2, "");
  by_test.failing_tests = {"src/a.js > works"};
  EXPECT_THAT(due({bare, by_test}), ElementsAre(0));
  // A suite that runs in the folder of the manifest names files from there on.
  EXPECT_THAT(due({bare, failed(2, "at c.ts:4")}, "lib/"), ElementsAre(2));
}

TEST_F(PartsTest, WhatNothingWasWrongWithIsNotAskedAgain) {
  answer_all();
  parts_.all()[1].said.reset();
  parts_.all()[1].told[2] = "does_not_apply";
  const std::vector<gate::AttemptSummary> history = {
      failed(1, "at src/a.js:1"), {2, {"proposal"}, {}, "", {"turned down"}, "does_not_apply"}};
  EXPECT_THAT(due(history), ElementsAre(1));
  // What the gates said goes to all; why an answer was turned down to who gave it.
  const auto own = parts_.failure_of(1, history);
  ASSERT_EQ(own.size(), 2U);
  EXPECT_EQ(own[0].payload, "does_not_apply");
  EXPECT_EQ(own[1].payload, "at src/a.js:1");
  parts_.all()[0].diff = "--- a/src/a.js";
  const auto other = parts_.failure_of(0, history);
  ASSERT_EQ(other.size(), 3U);
  EXPECT_THAT(other[0].payload, HasSubstr("Turned down by: tests"));
  EXPECT_THAT(other[0].payload, Not(HasSubstr("does_not_apply")));
  EXPECT_EQ(other[2].payload, "--- a/src/a.js") << "its own diff";
  // A lockfile that cannot be brought there is nobody's alone.
  answer(1);
  std::vector<gate::AttemptSummary> longer = history;
  longer.push_back({3, {"proposal"}, {}, "", {"the lockfile cannot be brought there"}});
  EXPECT_THAT(due(longer), ElementsAre(0, 1, 2));
  EXPECT_THAT(parts_.failure_of(2, longer)[0].payload, HasSubstr("the lockfile"));
}

TEST_F(PartsTest, AnInterruptedRunAsksAllAgain) {
  EXPECT_THAT(due({failed(1, ""), {2, {"proposal"}, {}, "", {"turned down"}}}),
              ElementsAre(0, 1, 2));
}

TEST_F(PartsTest, AnswersFitTogetherOrAreToldWhyNot) {
  EXPECT_FALSE(apart(accepted(bump("3.0.0")), "3.0.0"));
  const auto other = apart(accepted(bump("3.0.2")), "3.0.0");
  ASSERT_TRUE(other);
  EXPECT_EQ(other->rule, "not_of_a_part");
  EXPECT_THAT(other->told, HasSubstr("target 3.0.0"));
  const proposal::Proposal force = proposal::Override{
      proposal::RepoPath::parse("package.json").value(),
      proposal::PackageName::parse("menu").value(), proposal::test::version("3.0.0"), ""};
  EXPECT_TRUE(apart(accepted(force), "3.0.0"));
}

TEST_F(PartsTest, TheEvidenceHasEachQuestion) {
  answer(0);
  answer(1, 3);
  answer(2);
  const auto several = json::parse_json(document_of(parts_, "callsite_rewrite", 3, {}));
  ASSERT_TRUE(several);
  const auto* questions = several->find("questions")->as_array();
  ASSERT_EQ(questions->size(), 3U);
  EXPECT_EQ((*questions)[0].find("attempt")->as_int(), 2);
  EXPECT_EQ((*questions)[1].find("attempt")->as_int(), 3);
  EXPECT_EQ(several->find("prompt"), nullptr);
  EXPECT_EQ(rationale_of(parts_), "because\n\nbecause\n\nbecause");
  Sources only = three_files();
  only.parts.resize(1);
  parts_ = Parts(common(), only);
  answer(0);
  const auto one = json::parse_json(document_of(parts_, "dep_bump", 2, {}));
  ASSERT_TRUE(one);
  EXPECT_NE(one->find("prompt"), nullptr);
  EXPECT_EQ(one->find("questions"), nullptr);
}

TEST(NamesPath, AsAWordOfItsOwn) {
  for (const char* text : {"src/a.js", "at src/a.js:3:4", "(src/a.js)", "./src/a.js", "/src/a.js",
                           "file:///src/a.js", "in src/a.js.", "src/a.jsx and src/a.js"}) {
    EXPECT_TRUE(names_path(text, "src/a.js")) << text;
  }
  for (const char* text : {"", "a.js", "src/a.jsx", "src/a.js/b", "src/a.js.map", "lib/src/a.js",
                           "../src/a.js", "xsrc/a.js", "src/a_js"}) {
    EXPECT_FALSE(names_path(text, "src/a.js")) << text;
  }
}

}  // namespace
}  // namespace cg::propose
