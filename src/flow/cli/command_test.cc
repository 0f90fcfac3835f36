#include "flow/cli/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flow/cli/sample_table.h"

namespace cg::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(CommandTable, SampleIsSound) { EXPECT_THAT(table_faults(sample_table()), IsEmpty()); }

TEST(CommandTable, FindsByWordsAndAlias) {
  const CommandTable table = sample_table();
  ASSERT_NE(find_command(table, {"audit", "anchor", "verify"}), nullptr);
  EXPECT_EQ(find_command(table, {"au", "anchor", "verify"}),
            find_command(table, {"audit", "anchor", "verify"}));
  EXPECT_EQ(find_command(table, {"doctor"}), find_command(table, {"self-check"}));
  EXPECT_EQ(find_command(table, {"audit"}), nullptr);
  EXPECT_THAT(next_words(table, {"audit"}), ElementsAre("verify", "anchor"));
  EXPECT_THAT(next_words(table, {"audit", "anchor"}), ElementsAre("publish", "verify"));
  EXPECT_EQ(commands_under(table, {"audit"}).size(), 3U);
}

TEST(CommandTable, UsageShowsPresence) {
  const CommandTable table = sample_table();
  EXPECT_EQ(usage(table, *find_command(table, {"scan"})), "codegenie scan [DIR]");
  EXPECT_EQ(usage(table, *find_command(table, {"explain"})), "codegenie explain CODE");
  EXPECT_EQ(usage(table, *find_command(table, {"help"})), "codegenie help [TOPIC...]");
}

TEST(CommandTable, FaultsAreFound) {
  const struct {
    const char* expected;
    void (*damage)(CommandTable&);
  } cases[] = {
      {"takes a value in one place",
       [](CommandTable& t) {
         t.commands[2].flags = {
             {.name = "strict", .short_name = 's', .value_name = "N", .help = "x"}};
       }},
      {"short names differ",
       [](CommandTable& t) { t.commands[2].flags = {{.name = "strict", .help = "x"}}; }},
      {"shares its letter",
       [](CommandTable& t) {
         t.commands[2].flags = {{.name = "other", .short_name = 'q', .help = "x"}};
       }},
      {"hides a global flag",
       [](CommandTable& t) { t.commands[2].flags = {{.name = "json", .help = "x"}}; }},
      {"no help", [](CommandTable& t) { t.commands[2].flags = {{.name = "other"}}; }},
      {"no summary", [](CommandTable& t) { t.commands[0].summary = ""; }},
      {"full stop", [](CommandTable& t) { t.commands[0].summary = "It scans."; }},
      {"twice in the table", [](CommandTable& t) { t.commands.push_back(t.commands[0]); }},
      {"noun is not described", [](CommandTable& t) { t.nouns.clear(); }},
      {"noun without commands",
       [](CommandTable& t) { t.nouns.push_back({.word = "rag", .summary = "x"}); }},
      {"required after optional",
       [](CommandTable& t) { t.commands[0].arguments.push_back({.name = "X", .help = "x"}); }},
      {"only the last may repeat",
       [](CommandTable& t) {
         t.commands[6].arguments.push_back({.name = "X", .presence = Presence::optional});
       }},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.expected);
    CommandTable table = sample_table();
    c.damage(table);
    EXPECT_THAT(table_faults(table), ::testing::Contains(HasSubstr(c.expected)));
  }
}

TEST(CommandTable, FormatNamesMapOneToOne) {
  for (const Format format : kFormats) EXPECT_EQ(parse_format(name(format)), format);
  EXPECT_FALSE(parse_format("text"));
  EXPECT_FALSE(parse_format("JSON"));
}

TEST(CommandTable, PathKindComesFromTheValueName) {
  EXPECT_EQ(path_kind("FILE"), PathKind::file);
  EXPECT_EQ(path_kind("FORMAT=FILE"), PathKind::file);
  EXPECT_EQ(path_kind("DIR"), PathKind::directory);
  EXPECT_EQ(path_kind("N"), PathKind::none);
}

}  // namespace
}  // namespace cg::cli
