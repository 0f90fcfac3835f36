#include "prove/runners/shown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base/text.h"

namespace cg::runners {
namespace {

TEST(Shown, EscapesAreTakenOutWhole) {
  EXPECT_EQ(without_escapes("\x1b[31mred\x1b[0m"), "red");
  EXPECT_EQ(without_escapes("\x1b]0;title\x07text"), "text");
  EXPECT_EQ(without_escapes("\x1b]8;;https://registry.example/\x1b\\link\x1b]8;;\x1b\\"), "link");
  EXPECT_EQ(without_escapes("\x1b[2J\x1b[Hclear"), "clear");
  EXPECT_EQ(without_escapes("a\r\nb\rc"), "a\nb\nc");
  EXPECT_EQ(without_escapes("\n\na"), "\n\na");
}

TEST(Shown, AnEscapeThatNeverEndsHidesNoOtherLine) {
  EXPECT_EQ(without_escapes("\x1b]0;evil\nseen"), "\nseen");
  EXPECT_EQ(without_escapes("\x1b[31\nseen"), "\nseen");
  EXPECT_EQ(without_escapes("\x1b"), "");
  EXPECT_EQ(without_escapes("\x1b["), "");
}

TEST(Shown, WhatMovesTheCursorOrHidesTextIsMadeVisible) {
  for (const char* text : {"a\bb", "\x7f",
                           "\xe2\x80\xae"
                           "gnp.exe",
                           "\xff\xfe",
                           "\xc2\x9b"
                           "31m"}) {
    const std::string shown = without_escapes(text);
    EXPECT_TRUE(is_utf8(shown));
    EXPECT_EQ(printable(shown), shown) << text;
  }
}

TEST(Shown, TheTailIsBoundedAndStartsALine) {
  std::string output;
  for (int i = 0; i < 5000; ++i) output += "line " + std::to_string(i) + "\n";
  const std::string end = tail(output, 100);
  EXPECT_LE(end.size(), 100U);
  EXPECT_TRUE(end.starts_with("line "));
  EXPECT_TRUE(end.ends_with("line 4999\n"));
  EXPECT_LE(tail(std::string(10'000, 'x'), 100).size(), 100U);
  std::string wide;
  for (int i = 0; i < 1000; ++i) wide += "\xe2\x82\xac";
  EXPECT_TRUE(is_utf8(tail(wide, 100)));
  EXPECT_LE(tail(std::string(10'000, '\x01'), 100).size(), 100U);
}

TEST(Shown, ACommandLineIsQuotedWhereAShellWouldActUponIt) {
  EXPECT_EQ(command_line({"/usr/bin/npm", "test", "--", "--a=b"}), "/usr/bin/npm test -- --a=b");
  EXPECT_EQ(command_line({"a b", "", "it's", "$x"}), "'a b' '' 'it'\\''s' '$x'");
}

TEST(Shown, EscapesOfEveryShapeEndWhereTheyEnd) {
  for (const char opener : std::string_view("]PX^_")) {
    EXPECT_EQ(without_escapes(std::string("\x1b") + opener + "data\x1b\\text"), "text") << opener;
    EXPECT_EQ(without_escapes(std::string("\x1b") + opener + "never closed"), "") << opener;
  }
  EXPECT_EQ(without_escapes("\x1b(seen"), "seen");
  EXPECT_EQ(without_escapes("\x1b\nseen"), "\nseen");
  EXPECT_EQ(without_escapes("\x1b[3@x"), "x");
  EXPECT_EQ(without_escapes("\x1b[3~x"), "x");
  EXPECT_EQ(without_escapes("\x1b[0 qx"), "x");
  EXPECT_EQ(without_escapes("a\r"), "a\n");
}

TEST(Shown, WhatFitsIsKeptWhole) {
  EXPECT_EQ(tail("abc\ndef", 7), "abc\ndef");
  EXPECT_EQ(tail("abc\ndef", 6), "def");
  EXPECT_EQ(tail(std::string(200, 'x') + "\n", 100), std::string(99, 'x') + "\n");
  EXPECT_EQ(one_line("a\tb\nc\rd", 100), "a b c d");
  EXPECT_EQ(command_line({"azAZ09", "a[b", "{z", "@"}), "azAZ09 'a[b' '{z' @");
}

}  // namespace
}  // namespace cg::runners
