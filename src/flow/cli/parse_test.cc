#include "flow/cli/parse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flow/cli/sample_table.h"

namespace cg::cli {
namespace {

using ::testing::ElementsAre;

const CommandTable& table() {
  static const CommandTable t = sample_table();
  return t;
}

Invocation must(const Args& args) {
  auto parsed = parse(table(), args);
  if (!parsed) ADD_FAILURE() << parsed.error().what;
  return parsed ? *parsed : Invocation{};
}

TEST(Parse, FlagsStandAnywhere) {
  for (const Args& args : {Args{"--json", "audit", "verify", "--explain", "7"},
                           Args{"audit", "--json", "verify", "--explain=7"},
                           Args{"--explain", "7", "audit", "verify", "--json"},
                           Args{"au", "verify", "--explain=7", "--format=json"}}) {
    SCOPED_TRACE(::testing::PrintToString(args));
    const Invocation in = must(args);
    EXPECT_EQ(in.format, Format::json);
    EXPECT_EQ(in.value("explain"), "7");
    EXPECT_THAT(in.words, ElementsAre("audit", "verify"));
    EXPECT_FALSE(in.has("strict"));
    EXPECT_TRUE(in.arguments.empty());
  }
}

TEST(Parse, ShortFlagsJoin) {
  EXPECT_EQ(must({"scan", "-vv"}).count("verbose"), 2U);
  EXPECT_EQ(must({"scan", "-v", "-v", "-v"}).count("verbose"), 3U);
  EXPECT_TRUE(must({"audit", "verify", "-qs"}).has("strict"));
  EXPECT_EQ(must({"scan", "-ojson=x"}).outputs.at(0).file, "x");
  EXPECT_EQ(must({"scan", "-qo", "json=x"}).outputs.at(0).file, "x");
}

TEST(Parse, DoubleDashEndsFlags) {
  EXPECT_EQ(must({"scan", "--", "--json"}).argument(0), "--json");
  EXPECT_EQ(must({"scan", "-"}).argument(0), "-");
  EXPECT_EQ(must({"--", "scan", "-x"}).argument(0), "-x");
}

TEST(Parse, ArgumentMayLookLikeACommand) {
  EXPECT_THAT(must({"help", "audit", "verify"}).arguments, ElementsAre("audit", "verify"));
}

TEST(Parse, HelpAndVersionNeedNoArguments) {
  EXPECT_EQ(must({"explain", "--help"}).mode, Mode::help);
  EXPECT_EQ(must({"audit", "-h"}).mode, Mode::help);
  EXPECT_EQ(must({"audit", "-h"}).command, nullptr);
  EXPECT_EQ(must({"--version"}).mode, Mode::version);
}

TEST(Parse, OutputsAreFormatAndFile) {
  const Invocation in = must({"scan", "-o", "json=a=b", "--output=jsonl=c"});
  ASSERT_EQ(in.outputs.size(), 2U);
  EXPECT_EQ(in.outputs[0].format, Format::json);
  EXPECT_EQ(in.outputs[0].file, "a=b");
  EXPECT_EQ(in.outputs[1].format, Format::jsonl);
}

TEST(Parse, PathsMayHoldAnyBytes) {
  EXPECT_EQ(must({"scan", "\xff\xfe", "--home=\xff"}).argument(0), "\xff\xfe");
}

TEST(Parse, Problems) {
  using enum ErrorCode;
  const struct {
    Args args;
    ErrorCode code;
    std::string what;
    std::string help;  // the first line; empty: none
  } cases[] = {
      {{"remediat"}, cli_unknown_command, "unknown command `remediat`", "codegenie --help"},
      {{"scna"}, cli_unknown_command, "unknown command `scna`", "did you mean `scan`?"},
      {{"audit", "verfy"},
       cli_unknown_command,
       "unknown command `audit verfy`",
       "did you mean `audit verify`?"},
      {{"au", "anchor", "publsh"},
       cli_unknown_command,
       "unknown command `audit anchor publsh`",
       "did you mean `audit anchor publish`?"},
      {{"audit", "xyzzy"},
       cli_unknown_command,
       "unknown command `audit xyzzy`",
       "codegenie audit --help"},
      {{"publish"},
       cli_unknown_command,
       "unknown command `publish`",
       "did you mean `audit anchor publish`?"},
      {{"doctr"}, cli_unknown_command, "unknown command `doctr`", "did you mean `doctor`?"},
      {{"\x1b[2J"}, cli_unknown_command, "unknown command `\\x1b[2J`", "codegenie --help"},
      {{""}, cli_unknown_command, "unknown command ``", "codegenie --help"},
      {{"audit"},
       cli_arguments,
       "`audit` needs a subcommand",
       "codegenie audit verify          Check the whole chain"},
      {{"audit", "anchor"},
       cli_arguments,
       "`audit anchor` needs a subcommand",
       "codegenie audit anchor publish  Write an anchor"},
      {{"-q"}, cli_arguments, "`codegenie` needs a command", "codegenie --help"},
      {{"scan", "--jsn"}, cli_unknown_flag, "unknown flag `--jsn`", "did you mean `--json`?"},
      {{"scan", "--fail-onn=low"},
       cli_unknown_flag,
       "unknown flag `--fail-onn`",
       "did you mean `--fail-on`?"},
      {{"--formt", "json", "scan"},
       cli_unknown_flag,
       "unknown flag `--formt`",
       "did you mean `--format`?"},
      {{"scan", "--form", "json"},
       cli_unknown_flag,
       "unknown flag `--form`",
       "did you mean `--format`?"},
      {{"scan", "-x"}, cli_unknown_flag, "unknown flag `-x`", "codegenie scan --help"},
      {{"scan", "-qx"}, cli_unknown_flag, "unknown flag `-x`", "codegenie scan --help"},
      {{"scan", "--strict"},
       cli_unknown_flag,
       "`scan` does not take `--strict`",
       "codegenie scan --help"},
      {{"scan", "--format"}, cli_bad_value, "`--format` needs a value", "--format FORMAT"},
      {{"scan", "--home", "--json"}, cli_bad_value, "`--home` needs a value", "--home=DIR"},
      {{"scan", "--json=yes"}, cli_bad_value, "`--json` takes no value", ""},
      {{"scan", "--format", "jsn"},
       cli_bad_value,
       "bad value `jsn` for --format",
       "did you mean `json`?"},
      {{"scan", "--color=blue"},
       cli_bad_value,
       "bad value `blue` for --color",
       "one of auto, always, never"},
      {{"scan", "--format", "markdown"},
       cli_bad_value,
       "`scan` has no format `markdown`",
       "one of table, json, jsonl"},
      {{"explain", "--json", "X"}, cli_bad_value, "`explain` has no format `json`", "one of table"},
      {{"scan", "-o", "json"},
       cli_bad_value,
       "bad value `json` for --output",
       "-o FORMAT=FILE, for example -o json=result.json"},
      {{"scan", "-o", "json="},
       cli_bad_value,
       "bad value `json=` for --output",
       "-o FORMAT=FILE, for example -o json=result.json"},
      {{"scan", "-o", "jsn=f"},
       cli_bad_value,
       "`scan` has no format `jsn`",
       "did you mean `json`?"},
      {{"scan", "-o", "json=-"},
       cli_bad_value,
       "`-o` writes files; standard output has the result",
       "--format json"},
      {{"scan", "--json", "--format", "table"},
       cli_arguments,
       "`--json` and `--format table` contradict each other",
       ""},
      {{"scan", "--json", "--json"}, cli_arguments, "`--json` is given twice", ""},
      {{"scan", "--home=a", "--home", "b"}, cli_arguments, "`--home` is given twice", ""},
      {{"scan", "a", "b"}, cli_arguments, "`scan` does not take `b`", "codegenie scan [DIR]"},
      {{"audit", "verify", "x"},
       cli_arguments,
       "`audit verify` does not take `x`",
       "codegenie audit verify"},
      {{"explain"}, cli_arguments, "`explain` needs CODE", "codegenie explain CODE"},
      {{"self-check", "egres"},
       cli_bad_value,
       "bad value `egres` for WHAT",
       "did you mean `egress`?"},
      {{"explain", "\xff"}, cli_bad_value, "CODE is not UTF-8", ""},
      {{"audit", "verify", "--explain=\xff"}, cli_bad_value, "`--explain` is not UTF-8", ""},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(::testing::PrintToString(c.args));
    const auto parsed = parse(table(), c.args);
    ASSERT_FALSE(parsed);
    EXPECT_EQ(parsed.error().code, c.code);
    EXPECT_EQ(parsed.error().what, c.what);
    EXPECT_EQ(parsed.error().help.empty() ? "" : parsed.error().help[0], c.help);
    EXPECT_EQ(parsed.error().exit(), ExitCode::usage);
  }
}

TEST(Parse, BoundsHold) {
  EXPECT_TRUE(parse(table(), Args(kMaxArguments, "-v")).error().code == ErrorCode::cli_arguments);
  Args many(kMaxArguments - 1, "-v");
  many.insert(many.begin(), "scan");
  EXPECT_TRUE(parse(table(), many));
  many.emplace_back("-v");
  ASSERT_FALSE(parse(table(), many));
  EXPECT_EQ(parse(table(), many).error().what, "too many words: 4 097, at most 4 096");
  EXPECT_TRUE(parse(table(), {"scan", std::string(kMaxArgumentBytes, 'a')}));
  const auto long_word = parse(table(), {"scan", std::string(kMaxArgumentBytes + 1, 'a')});
  ASSERT_FALSE(long_word);
  EXPECT_LT(long_word.error().where.at(0).second.size(), 300U);
}

TEST(Parse, EveryPrefixOfAGoodLineEndsInAnAnswer) {
  const Args good = {"--color", "never", "audit",  "verify", "--explain=7",
                     "-vv",     "-o",    "json=x", "--",     "y"};
  for (std::size_t n = 0; n <= good.size(); ++n) {
    const Args part(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(n));
    const auto parsed = parse(table(), part);
    if (!parsed) {
      EXPECT_FALSE(parsed.error().what.empty());
    }
  }
}

/// Words that mean something, in every order a fixed seed comes up with.
TEST(Parse, AnyLineEndsInAnAnswer) {
  const Args words = {
      "audit",   "verify", "anchor",   "scan",       "help",     "-",       "--",       "-v",
      "-qo",     "-o",     "--output", "json=x",     "--json",   "--json=", "--format", "json",
      "=",       "--=",    "-=",       "--explain=", "--home",   "",        "\xff",     "-\xff",
      "--\xff=", "doctor", "explain",  "-h",         "--version"};
  std::uint32_t seed = 1;
  const auto next = [&](std::size_t below) {
    seed = seed * 1664525U + 1013904223U;
    return static_cast<std::size_t>(seed >> 8U) % below;
  };
  std::size_t good = 0;
  for (int round = 0; round < 20000; ++round) {
    Args line;
    for (std::size_t n = next(7); n > 0; --n) line.push_back(words[next(words.size())]);
    const auto parsed = parse(table(), line);
    if (parsed) {
      ++good;
      EXPECT_TRUE(parsed->mode != Mode::run || parsed->command != nullptr);
    } else {
      EXPECT_FALSE(parsed.error().what.empty());
    }
  }
  EXPECT_GT(good, 500U);  // otherwise the words no longer make lines
}

TEST(Peek, SeesFormatAndColourOfABrokenLine) {
  EXPECT_EQ(peek({"scna", "--json"}).format, Format::json);
  EXPECT_EQ(peek({"--format=jsonl", "scna"}).format, Format::jsonl);
  EXPECT_EQ(peek({"--format", "json"}).format, Format::json);
  EXPECT_EQ(peek({"scna", "--", "--json"}).format, Format::table);
  EXPECT_EQ(peek({"--color", "always"}).color, "always");
  EXPECT_TRUE(peek({"scna", "-q"}).quiet);
}

TEST(InvocationDeathTest, AMistypedFlagNameInAHandlerEndsTheProgram) {
  EXPECT_DEATH(static_cast<void>(must({"scan"}).has("fail-onn")), "");
}

}  // namespace
}  // namespace cg::cli
