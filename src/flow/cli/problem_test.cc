#include "flow/cli/problem.h"

#include <gtest/gtest.h>

#include "base/json/json.h"

namespace cg::cli {
namespace {

TEST(Problem, HasTheShapeOfTheDesign) {
  const Problem problem{ErrorCode::config_bad,
                        "audit chain broken at entry 412 of 1 284",
                        {{"file", ".codegenie/events/spanning/append.jsonl.zst"},
                         {"expected", "prev 9f31c2aa77d0…   found 1b0c44e0912f…"}},
                        "no workflow will run; nothing was changed",
                        {"codegenie audit verify --explain 412", "codegenie help audit-recovery"}};
  EXPECT_EQ(render_problem(problem, Style()),
            "error[CG-CONFIG-001]: audit chain broken at entry 412 of 1 284\n"
            "  file     .codegenie/events/spanning/append.jsonl.zst\n"
            "  expected prev 9f31c2aa77d0…   found 1b0c44e0912f…\n"
            "  effect   no workflow will run; nothing was changed\n"
            "  help     codegenie audit verify --explain 412\n"
            "           codegenie help audit-recovery\n");
}

TEST(Problem, DidYouMeanIsAHint) {
  const Problem problem{ErrorCode::cli_unknown_command,
                        "unknown command `remediat`",
                        {},
                        {},
                        {"did you mean `remediate`?"}};
  EXPECT_EQ(render_problem(problem, Style()),
            "error[CG-CLI-001]: unknown command `remediat`\n\nhint: did you mean `remediate`?\n");
  EXPECT_EQ(render_problem(problem, Style(), Hints::hide),
            "error[CG-CLI-001]: unknown command `remediat`\n");
}

TEST(Problem, LongLabelsWidenTheColumn) {
  const Problem problem{ErrorCode::cli_output, "x", {{"a longer label", "v"}}, {}, {"h"}};
  EXPECT_EQ(render_problem(problem, Style()),
            "error[CG-CLI-005]: x\n  a longer label v\n  help           h\n");
}

TEST(Problem, ForeignBytesCannotReachTheTerminal) {
  const Problem problem{
      ErrorCode::cli_output, "a\x1b[2J", {{"fi\nle", "\xff\r"}}, "e\n", {"h\x07"}};
  EXPECT_EQ(render_problem(problem, Style()),
            "error[CG-CLI-005]: a\\x1b[2J\n  fi\\x0ale \\u{ff}\\x0d\n  effect   e\\x0a\n  help     "
            "h\\x07\n");
}

TEST(Problem, JsonHasAllParts) {
  const Problem problem{ErrorCode::cli_output, "x", {{"file", "\xff"}, {"file", "b"}}, "e", {"h"}};
  EXPECT_EQ(json::write_json(problem_json(problem)),
            R"({"schema":"codegenie/error/v1","error":{"code":"CG-CLI-005","what":"x",)"
            R"("where":{"file":"\\u{ff}, b"},"effect":"e","help":["h"]},"exit":2})");
}

TEST(Problem, ColourPaintsTheCode) {
  const Problem problem{ErrorCode::cli_output, "x", {}, {}, {}};
  EXPECT_EQ(render_problem(problem, Style(Color::on, Charset::utf8)),
            "\x1b[1;31merror[CG-CLI-005]\x1b[0m: \x1b[1mx\x1b[0m\n");
}

}  // namespace
}  // namespace cg::cli
