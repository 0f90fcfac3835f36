#include "base/base/defuse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base/text.h"
#include "support/markers.h"

namespace cg {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

TEST(Defuse, EveryTextOfTheCorpusGivesOrders) {
  for (const std::string& text : test::marker_texts()) {
    EXPECT_THAT(test::orders_in(text), Not(IsEmpty())) << printable(text);
  }
}

TEST(Defuse, NothingIsObeyed) {
  std::string all;
  for (const std::string& text : test::marker_texts()) {
    SCOPED_TRACE(printable(text));
    EXPECT_THAT(test::orders_in("x " + printable(text)), IsEmpty());
    EXPECT_THAT(test::orders_in(defused(text)), IsEmpty());
    EXPECT_THAT(test::orders_in(defused(text + "\n" + text + "\n")), IsEmpty());
    // In a line of ours, behind a colour of ours, cut anywhere.
    EXPECT_THAT(test::orders_in(defused("  | " + text + text)), IsEmpty());
    for (std::size_t i = 0; i <= text.size(); ++i) {
      EXPECT_THAT(test::orders_in(defused(text.substr(i))), IsEmpty());
      EXPECT_THAT(test::orders_in(defused("#" + text.substr(i))), IsEmpty());
    }
    all += text + "\n";
  }
  EXPECT_THAT(test::orders_in(defused(all)), IsEmpty());
}

TEST(Defuse, OneCharacterOfEachMarkerIsShown) {
  EXPECT_EQ(printable("a ##[error]b"), "a #\\x23[error]b");
  EXPECT_EQ(printable("###vso[x]"), "##\\x23vso[x]");
  EXPECT_EQ(printable("section_end:1:x"), "section_end\\x3a1:x");
  EXPECT_EQ(defused("::error::x\n  ::y\na ::b::\n"), "\\x3a:error::x\n  \\x3a:y\na ::b::\n");
  EXPECT_EQ(defused("a\tb\r\nc"), "a\tb\\x0d\nc");
}

TEST(Defuse, HonestTextStays) {
  for (const std::string text :
       {"", "\n", "a\n\nb", "## Heading\n### [link](x)\n", "# [x]", "a ## b [c]", "std::string x;",
        "${x##*/} ${y##*[}", "C# [x]", "issue #1 and #2", "a: [::1]:80", "section_start",
        "⚠️ #️⃣"}) {
    EXPECT_EQ(defused(text), text);
    EXPECT_EQ(defused_json(text), text);
  }
}

TEST(Defuse, TwiceIsOnce) {
  for (const std::string& text : test::marker_texts()) {
    EXPECT_EQ(printable(printable(text)), printable(text));
    EXPECT_EQ(defused(defused(text)), defused(text));
    EXPECT_EQ(defused_json(defused_json(text)), defused_json(text));
  }
}

TEST(Defuse, OursIsObeyed) {
  EXPECT_EQ(defused("\x1b[1;31mred\x1b[0m", {.colours = true}), "\x1b[1;31mred\x1b[0m");
  EXPECT_EQ(defused("\x1b[1;31mred"), "\\x1b[1;31mred");
  EXPECT_EQ(defused("\x1b[2J\x1b[31", {.colours = true}), "\\x1b[2J\\x1b[31");
  EXPECT_EQ(defused("\x1b[1m::error::x", {.colours = true}), "\x1b[1m\\x3a:error::x");
  EXPECT_EQ(defused("::error::##[x]", {.commands = true}), "::error::#\\x23[x]");
  const std::string block = stop_commands("t0") + "::error::x\n" + start_commands("t0");
  EXPECT_EQ(block, "::stop-commands::t0\n::error::x\n::t0::\n");
  EXPECT_EQ(defused(block, {.token = "t0"}), "::stop-commands::t0\n\\x3a:error::x\n::t0::\n");
  EXPECT_THAT(test::orders_in(defused(block)), IsEmpty());
  EXPECT_THAT(test::orders_in(defused(block, {.token = "t1"})), IsEmpty());
  EXPECT_THAT(test::orders_in(defused(" " + block, {.token = "t0"})), SizeIs(1)) << "not ours";
}

TEST(Defuse, JsonReadsBackTheSame) {
  EXPECT_EQ(defused_json("[\"##[x]\"]"), "[\"#\\u0023[x]\"]");
  EXPECT_EQ(defused_json("\"section_start:1\""), "\"section_start\\u003a1\"");
  EXPECT_EQ(defused_json("\"\x7f\u009b\u2028\u202e\u200b\""),
            "\"\\u007f\\u009b\\u2028\\u202e\\u200b\"");
  EXPECT_EQ(defused_json("\"\U000e0001\""), "\"\\udb40\\udc01\"");
  EXPECT_EQ(defused_json("\"\x9b\""), "\"\\ufffd\"");
  EXPECT_EQ(defused_json("{\n  \"a\": \"é\"\n}\n"), "{\n  \"a\": \"é\"\n}\n");
}

}  // namespace
}  // namespace cg
