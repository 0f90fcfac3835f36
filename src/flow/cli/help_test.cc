#include "flow/cli/help.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base/text.h"
#include "flow/cli/man.h"
#include "flow/cli/sample_table.h"
#include "flow/cli/topics.h"

namespace cg::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const Style kUtf8(Color::off, Charset::utf8);

TEST(Help, TopListsOnlyCommandsThatExist) {
  EXPECT_EQ(top_help(sample_table(), kUtf8),
            "codegenie — fix known vulnerabilities in npm repositories, with evidence\n"
            "\n"
            "Everyday\n"
            "  scan         List vulnerable packages\n"
            "  explain      Explain a code\n"
            "\n"
            "Trust\n"
            "  audit        Verify, search and anchor the audit chain  (alias: au)\n"
            "  self-check   Check the machine  (alias: doctor)\n"
            "\n"
            "More: help <topic>\n"
            "Topics: exit-codes, environment, formats, flags, ignores, offline,\naudit-recovery\n"
            "\n"
            "`codegenie COMMAND --help` tells more about one command.\n");
}

TEST(Help, CommandShowsAllItTakes) {
  const CommandTable table = sample_table();
  const std::string text = *help_on(table, {"audit", "verify"}, Style());
  EXPECT_THAT(text, HasSubstr("codegenie audit verify - Check the whole chain\n"));
  EXPECT_THAT(text, HasSubstr("  codegenie audit verify [FLAGS]\n"));
  EXPECT_THAT(text, HasSubstr("  --explain N   show one entry\n  -s, --strict  refuse warnings\n"));
  EXPECT_THAT(text, HasSubstr("  table (default), json\n"));
  EXPECT_THAT(text, HasSubstr("  4  a stored thing did not verify"));
  EXPECT_THAT(text, HasSubstr("  codegenie audit verify\n      all of it\n"));
  EXPECT_THAT(text, Not(HasSubstr("—")));
}

TEST(Help, NounListsItsCommands) {
  const std::string text = *help_on(sample_table(), {"au"}, kUtf8);
  EXPECT_THAT(text, HasSubstr("codegenie audit — Verify, search"));
  EXPECT_THAT(text, HasSubstr("  audit verify          Check the whole chain\n"));
  EXPECT_THAT(*help_on(sample_table(), {"audit", "anchor"}, kUtf8),
              HasSubstr("  audit anchor publish  Write"));
}

TEST(Help, UnknownTopicNamesTheNearest) {
  const auto missed = help_on(sample_table(), {"exit-code"}, kUtf8);
  ASSERT_FALSE(missed);
  EXPECT_EQ(missed.error().what, "no help on `exit-code`");
  EXPECT_EQ(missed.error().help.at(0), "did you mean `exit-codes`?");
  EXPECT_EQ(help_on(sample_table(), {"audit", "verfy"}, kUtf8).error().help.at(0),
            "did you mean `audit verify`?");
}

TEST(Help, EverythingFitsEightyColumns) {
  const CommandTable table = sample_table();
  std::vector<std::string> texts = {top_help(table, kUtf8), noun_help(table, {"audit"}, kUtf8)};
  for (const Command& command : table.commands)
    texts.push_back(command_help(table, command, kUtf8));
  for (const Topic& topic : topics()) texts.push_back(topic_text(topic.name, kUtf8).value());
  for (const std::string& text : texts) {
    EXPECT_TRUE(text.ends_with('\n'));
    for (const std::string_view line : split(text, '\n')) {
      EXPECT_LE(width(line), 80U) << line;
      EXPECT_FALSE(line.ends_with(' ')) << line;
    }
  }
}

TEST(Topics, EachHasATextAndNoOtherNameHas) {
  for (const Topic& topic : topics()) EXPECT_TRUE(topic_text(topic.name, kUtf8)) << topic.name;
  EXPECT_FALSE(topic_text("nonsense", kUtf8));
}

TEST(Topics, ExitCodesComeFromTheTable) {
  const std::string topic = topic_text("exit-codes", kUtf8).value();
  std::string text;
  for (const std::string_view word : split(topic, ' ')) {
    if (!word.empty()) text += std::string(trim(word)) + " ";
  }
  for (const ExitCodeRow& row : exit_code_table()) {
    EXPECT_THAT(text,
                HasSubstr(" " + std::to_string(row.number) + " " + std::string(row.name) + " "));
  }
}

TEST(Topics, RecoverySaysWhatMatters) {
  const std::string text = topic_text("audit-recovery", kUtf8).value();
  for (const char* words :
       {"Do not delete", "--explain N", "anchor", "guard folder", "torn last line"}) {
    EXPECT_THAT(text, HasSubstr(words));
  }
}

TEST(Man, PagesExistForEachNoun) {
  const CommandTable table = sample_table();
  EXPECT_THAT(
      man_page_names(table),
      ::testing::ElementsAre("codegenie", "codegenie-scan", "codegenie-audit",
                             "codegenie-self-check", "codegenie-explain", "codegenie-help"));
  EXPECT_FALSE(man_page(table, "codegenie-x"));
  EXPECT_FALSE(man_page(table, "audit"));
}

TEST(Man, EscapesRoff) {
  CommandTable table = sample_table();
  table.commands[0].about = {".SH fooled \\fB", "'quoted' — `code`"};
  const std::string page = man_page(table, "codegenie-scan").value();
  EXPECT_THAT(page, HasSubstr("\\&.SH fooled \\efB\n"));
  EXPECT_THAT(page, HasSubstr("\\(aqquoted\\(aq \\[u2014] \\fBcode\\fR\n"));
  for (const char c : page) EXPECT_LT(static_cast<unsigned char>(c), 128U);
}

}  // namespace
}  // namespace cg::cli
