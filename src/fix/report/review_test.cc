// Where a reviewer is sent, and that every text sends them there.
#include "fix/report/review.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fix/report/report.h"
#include "fix/report/samples.h"

namespace cg::report {
namespace {

using test::fixed_case;
using test::mixed_case;
using test::model_case;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

TEST(Review, PutsWhatAModelWroteFirst) {
  const Review all = review(model_case());
  EXPECT_THAT(file_lines(all), ElementsAre("lib/requests.js +2 -1, written by a model",
                                           "package.json +1 -1", "package-lock.json +3 -3"));
  EXPECT_THAT(all.kinds, ElementsAre("direct_bump", "callsite_rewrite"));
  ASSERT_THAT(all.said, SizeIs(1));
  EXPECT_EQ(all.said[0].rationale, "Version 2 calls it openSession.");
  ASSERT_THAT(all.weak, SizeIs(1));
  EXPECT_EQ(all.weak[0].signal, "tests");
}

TEST(Review, OfABranchIsOfItsCommitAlone) {
  const Case c = model_case();
  const Review recipes = review(c, c.branches[0]);
  EXPECT_THAT(file_lines(recipes), IsEmpty());
  EXPECT_THAT(caution_lines(recipes), IsEmpty());
  EXPECT_THAT(recipes.kinds, ElementsAre("direct_bump"));
  const Review models = review(c, c.branches[1]);
  EXPECT_THAT(models.model, SizeIs(1));
  EXPECT_THAT(caution_lines(models),
              ElementsAre("plan of a model: callsite rewrite; its reason, quoted and not to be "
                          "trusted: \"Version 2 calls it openSession.\"",
                          "weak: tests (exit 0): their exit code alone was judged; not proven"));
}

TEST(Review, AGateThatDidNotPassIsNotWeak) {
  Case c = model_case();
  c.gates.back().passed = false;
  EXPECT_THAT(review(c).weak, IsEmpty());
  c.gates.back().passed = true;
  c.gates.back().branch = "codegenie/of-no-branch";
  EXPECT_THAT(review(c).weak, IsEmpty());
}

TEST(Review, EveryTextSendsToTheSameFiles) {
  const Case c = model_case();
  for (const std::string& out :
       {pr_body(c), markdown(c), html(c), handoff(c), commit_message(c, c.branches[1])}) {
    const std::size_t model = out.find("lib/requests.js");
    ASSERT_NE(model, std::string::npos) << out;
    const std::size_t manifest = out.find("package.json", model);
    ASSERT_NE(manifest, std::string::npos) << out;
    EXPECT_THAT(out.substr(model, manifest - model), HasSubstr("+2 -1"));
    EXPECT_THAT(out, HasSubstr("callsite rewrite"));
    EXPECT_THAT(out, HasSubstr("Version 2 calls it openSession."));
    EXPECT_THAT(out, HasSubstr("their exit code alone was judged"));
    EXPECT_THAT(out, ::testing::ContainsRegex("quoted, untrusted text|not to be trusted"));
  }
}

TEST(Review, PullRequestOfAModelsRewrite) {
  const std::string body = pr_body(model_case());
  EXPECT_THAT(body, HasSubstr("| How | model plan (callsite rewrite), attempt 2 of 3, &#36;0.00 — "
                              "read the diff |"));
  EXPECT_THAT(body, HasSubstr("tests ✓ weak"));
  EXPECT_THAT(body,
              HasSubstr("**What a reviewer should look at:** first what a model wrote, line by "
                        "line: `lib/requests.js` +2 -1. Then `package.json` +1 -1, above all its "
                        "overrides. The rest follows from it: `package-lock.json` +3 -3.\n"));
  EXPECT_THAT(body,
              HasSubstr("**Weak:** tests (exit 0): their exit code alone was judged. What passed "
                        "so is not proven.\n"));
  EXPECT_THAT(body, HasSubstr("| `codegenie/cve-2022-24999-qs-6.7.3` | callsite rewrite | “Version "
                              "2 calls it openSession.” |"));
}

TEST(Review, SaysWhatThereIs) {
  Case c = fixed_case();
  c.changes = {{"package-lock.json", 3, 3}};
  EXPECT_THAT(pr_body(c), HasSubstr("`package-lock.json` +3 -3. No manifest changes.\n"));
  c.changes = {{"apps/x/package.json", 1, 0}};
  EXPECT_THAT(pr_body(c), HasSubstr("look at:** `apps/x/package.json` +1 -0.\n"));
  c.changes = {{"a.js", 1, 0, Author::model}};
  EXPECT_THAT(pr_body(c), HasSubstr("line by line: `a.js` +1 -0. Nothing else changes.\n"));
  c.changes.clear();
  EXPECT_THAT(pr_body(c), Not(HasSubstr("look at")));
}

TEST(Review, CommitOfAModel) {
  const Case c = model_case();
  EXPECT_THAT(commit_message(c, c.branches[1]),
              HasSubstr("(override): express 4.17.1 asks for exactly 6.7.0\n"
                        "\n"
                        "For the reviewer, in this order:\n"
                        "- lib/requests.js +2 -1, written by a model\n"
                        "- package.json +1 -1\n"
                        "- package-lock.json +3 -3\n"
                        "- plan of a model: callsite rewrite; its reason, quoted and not to be "
                        "trusted: \"Version 2 calls it openSession.\"\n"
                        "- weak: tests (exit 0): their exit code alone was judged; not proven\n"
                        "\n"
                        "Fixes-Advisory: CVE-2022-24999\n"));
  EXPECT_THAT(commit_message(c, c.branches[0]), Not(HasSubstr("reviewer")))
      << "what git shows by itself is not said again";
}

/// However many quotes a text of others has, it is one line, and cut.
TEST(Review, AReasonIsBounded) {
  Case c = model_case();
  c.branches[1].rationale = std::string(100'000, '"');
  for (const std::string& line : caution_lines(review(c))) EXPECT_LT(line.size(), 1000U);
  EXPECT_LE(pr_body(c, kMinPrBodyBytes).size(), kMinPrBodyBytes);
  EXPECT_THAT(pr_body(c, kMinPrBodyBytes), HasSubstr("first what a model wrote"))
      << "a long reason does not push out where to look";
}

}  // namespace
}  // namespace cg::report
