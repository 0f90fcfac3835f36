// The real command table: sound, and told the same everywhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base/text.h"
#include "commands.h"
#include "flow/cli/help.h"

namespace cg::program {
namespace {

const cli::Style kStyle(cli::Color::off, cli::Charset::utf8);

TEST(CommandTable, IsSound) {
  EXPECT_THAT(cli::table_faults(command_table()), ::testing::IsEmpty());
}

TEST(CommandTable, EveryCommandHasAHandler) {
  for (const cli::Command& command : command_table().commands)
    EXPECT_NE(entry_of(commands(), command).run, nullptr);
}

TEST(CommandTable, HelpFitsEightyColumnsAndNamesEveryFlag) {
  for (const cli::Command& command : command_table().commands) {
    const std::string text = cli::command_help(command_table(), command, kStyle);
    SCOPED_TRACE(cli::joined(command.path));
    for (const std::string_view line : split(text, '\n')) EXPECT_LE(cli::width(line), 80U) << line;
    for (const cli::Flag& flag : command.flags)
      EXPECT_THAT(text, ::testing::HasSubstr(cli::dashed(flag)));
  }
}

/// `command …` in backquotes or an example must parse, or the help lies.
TEST(CommandTable, ExamplesParse) {
  for (const cli::Command& command : command_table().commands) {
    for (const cli::Example& example : command.examples) {
      const std::size_t start = example.line.find("codegenie ");
      ASSERT_NE(start, std::string_view::npos) << example.line;
      const std::string_view line =
          example.line.substr(start + 10, example.line.find_first_of("|>)", start) - start - 10);
      cli::Args args;
      for (const std::string_view word : split(cg::trim(line), ' ')) args.emplace_back(word);
      const auto parsed = cli::parse(command_table(), args);
      EXPECT_TRUE(parsed) << example.line << ": " << (parsed ? "" : parsed.error().what);
    }
  }
}

}  // namespace
}  // namespace cg::program
