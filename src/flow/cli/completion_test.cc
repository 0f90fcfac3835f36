#include "flow/cli/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flow/cli/offers.h"
#include "flow/cli/sample_table.h"

namespace cg::cli {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> words_at(const std::vector<std::string_view>& words) {
  std::vector<std::string> found;
  for (const Offer& offer : offers_at(sample_table(), words)) found.push_back(offer.word);
  return found;
}

TEST(Offers, FollowTheTable) {
  EXPECT_THAT(words_at({}), ElementsAre("scan", "audit", "self-check", "explain", "help"));
  EXPECT_THAT(words_at({"audit"}), ElementsAre("verify", "anchor"));
  EXPECT_THAT(words_at({"self-check"}), ElementsAre("egress", "clock"));
  EXPECT_THAT(words_at({"explain"}), Contains("CG-CLI-001"));
  EXPECT_THAT(words_at({"help"}), Contains("audit-recovery"));
}

TEST(Offers, ValueFlagsAreListedOnce) {
  const CommandTable table = sample_table();
  EXPECT_THAT(value_flags(table), ElementsAre("--color", "--progress", "--format", "--output", "-o",
                                              "--home", "--config", "--fail-on", "--explain"));
}

TEST(Offers, FormatsAreThoseOfTheCommand) {
  const CommandTable table = sample_table();
  const Flag& format = *find_flag(nullptr, "format");
  EXPECT_THAT(choices_of(format, find_command(table, {"scan"})),
              ElementsAre("table", "json", "jsonl"));
  EXPECT_THAT(choices_of(format, nullptr),
              ElementsAre("table", "json", "jsonl", "markdown", "sarif", "cyclonedx", "openvex",
                          "gh-annotations", "html", "pr-body", "commit-message"));
}

TEST(Completion, EveryScriptIsFilledIn) {
  for (const Shell shell : {Shell::bash, Shell::zsh, Shell::fish}) {
    const std::string script = completion_script(sample_table(), shell);
    for (const char* mark :
         {"@PROGRAM@", "@PLACES@", "@VALUES@", "@WORDS@", "@FLAGS@", "@GLOBAL@", "@VALUE_FLAGS@"}) {
      EXPECT_THAT(script, Not(HasSubstr(mark)));
    }
    EXPECT_THAT(script, HasSubstr("audit anchor publish"));
    EXPECT_THAT(script, HasSubstr("doctor"));
  }
}

TEST(Completion, ShellNamesAreClosed) {
  EXPECT_EQ(parse_shell("zsh"), Shell::zsh);
  EXPECT_FALSE(parse_shell("csh"));
}

}  // namespace
}  // namespace cg::cli
