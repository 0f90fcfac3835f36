#include "flow/propose/question.h"

#include <gtest/gtest.h>

namespace cg::propose {
namespace {

TEST(FailureTexts, SayWhatTheGatesSaid) {
  const auto texts =
      failure_texts({{1, {"build", "tests"}, {"a > adds"}, "at line 4", {"rewritten src/a.js"}}},
                    "--- a/src/a.js");
  ASSERT_EQ(texts.size(), 3U);
  EXPECT_EQ(texts[0].kind, SourceKind::prior_attempt_summary);
  EXPECT_EQ(texts[0].payload,
            "Turned down by: build tests\nfails now: a > adds\nhad tried: rewritten src/a.js");
  EXPECT_EQ(texts[1].kind, SourceKind::sandbox_stderr);
  EXPECT_EQ(texts[1].payload, "at line 4");
  EXPECT_EQ(texts[2].kind, SourceKind::prior_diff);
  EXPECT_EQ(texts[2].payload, "--- a/src/a.js");
}

/// It may have lines of the repository, so it is one of the texts that are fenced.
TEST(FailureTexts, OrWhyItNeverCameToThem) {
  const auto texts =
      failure_texts({{1, {"tests"}, {}, "at line 4", {"left 2.0.0"}},
                     {2, {"proposal"}, {}, "", {"may not be tried: ambiguous"}, "ambiguous: 2, 5"}},
                    "");
  ASSERT_EQ(texts.size(), 2U);
  EXPECT_EQ(texts[0].kind, SourceKind::prior_attempt_summary);
  EXPECT_EQ(texts[0].payload, "ambiguous: 2, 5");
  EXPECT_EQ(texts[1].payload, "at line 4") << "what is to be mended is still told";
  EXPECT_TRUE(failure_texts({}, "a diff").empty());
  // Of an attempt that an interrupted run made the log knows the rule alone.
  EXPECT_EQ(
      failure_texts({{1, {"proposal"}, {}, "", {"may not be tried: ambiguous"}}}, "")[0].payload,
      "Turned down by: proposal\nhad tried: may not be tried: ambiguous");
}

}  // namespace
}  // namespace cg::propose
