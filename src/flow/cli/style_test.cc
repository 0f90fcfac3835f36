#include "flow/cli/style.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base/text.h"
#include "base/json/json.h"
#include "support/markers.h"

namespace cg::cli {
namespace {

TEST(Style, ColourDecision) {
  using enum ColorChoice;
  constexpr auto kTty = Terminal::yes;
  constexpr auto kPipe = Terminal::no;
  const struct {
    const char* why;
    ColorInputs inputs;
    Color expected;
  } cases[] = {
      {"terminal", {{}, {}, "", "", "", "xterm", kTty}, Color::on},
      {"pipe", {{}, {}, "", "", "", "xterm", kPipe}, Color::off},
      {"dumb terminal", {{}, {}, "", "", "", "dumb", kTty}, Color::off},
      {"no TERM", {{}, {}, "", "", "", "", kTty}, Color::off},
      {"flag always on a pipe", {always, {}, "", "", "", "", kPipe}, Color::on},
      {"flag always beats NO_COLOR", {always, {}, "1", "", "", "dumb", kPipe}, Color::on},
      {"flag never beats FORCE_COLOR", {never, {}, "", "1", "1", "xterm", kTty}, Color::off},
      {"flag beats setting", {never, always, "", "", "", "xterm", kTty}, Color::off},
      {"flag auto leaves it to the setting", {automatic, always, "", "", "", "", kPipe}, Color::on},
      {"setting beats NO_COLOR", {{}, always, "1", "", "", "", kPipe}, Color::on},
      {"setting never", {{}, never, "", "1", "", "xterm", kTty}, Color::off},
      {"setting auto", {{}, automatic, "", "", "", "xterm", kTty}, Color::on},
      {"NO_COLOR", {{}, {}, "1", "", "", "xterm", kTty}, Color::off},
      {"NO_COLOR=0 is not empty", {{}, {}, "0", "", "", "xterm", kTty}, Color::off},
      {"NO_COLOR beats FORCE_COLOR", {{}, {}, "1", "1", "1", "xterm", kTty}, Color::off},
      {"FORCE_COLOR on a pipe", {{}, {}, "", "1", "", "", kPipe}, Color::on},
      {"FORCE_COLOR beats dumb", {{}, {}, "", "1", "", "dumb", kPipe}, Color::on},
      {"FORCE_COLOR=0 does nothing", {{}, {}, "", "0", "", "xterm", kPipe}, Color::off},
      {"CLICOLOR_FORCE", {{}, {}, "", "", "1", "", kPipe}, Color::on},
      {"CLICOLOR_FORCE=0", {{}, {}, "", "", "0", "", kPipe}, Color::off},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.why);
    EXPECT_EQ(decide_color(c.inputs), c.expected);
  }
}

TEST(Style, CharsetComesFromTheStrongestLocaleVariable) {
  EXPECT_EQ(decide_charset("", "", ""), Charset::ascii);
  EXPECT_EQ(decide_charset("", "", "C"), Charset::ascii);
  EXPECT_EQ(decide_charset("", "", "en_US.UTF-8"), Charset::utf8);
  EXPECT_EQ(decide_charset("", "", "C.utf8"), Charset::utf8);
  EXPECT_EQ(decide_charset("", "C.UTF-8", "C"), Charset::utf8);
  EXPECT_EQ(decide_charset("C", "C.UTF-8", "C.UTF-8"), Charset::ascii);
  EXPECT_EQ(decide_charset("de_DE.ISO-8859-1", "", "C.UTF-8"), Charset::ascii);
}

TEST(Style, GlyphsFallBackToWords) {
  const Style utf8(Color::off, Charset::utf8);
  const Style ascii(Color::off, Charset::ascii);
  EXPECT_EQ(utf8.glyph(Glyph::ok), "✓");
  EXPECT_EQ(utf8.glyph(Glyph::fail), "✗");
  EXPECT_EQ(utf8.glyph(Glyph::warn), "!");
  EXPECT_EQ(utf8.glyph(Glyph::none), "–");
  EXPECT_EQ(ascii.glyph(Glyph::ok), "ok");
  EXPECT_EQ(ascii.glyph(Glyph::fail), "FAIL");
  EXPECT_EQ(ascii.glyph(Glyph::warn), "warn");
  EXPECT_EQ(ascii.glyph(Glyph::none), "-");
  EXPECT_EQ(ascii.words("a — b … c"), "a - b ... c");
  EXPECT_EQ(utf8.words("a — b"), "a — b");
}

TEST(Style, PaintOnlyWithColour) {
  EXPECT_EQ(Style(Color::on, Charset::utf8).paint(Role::error, "x"), "\x1b[1;31mx\x1b[0m");
  EXPECT_EQ(Style(Color::on, Charset::utf8).paint(Role::plain, "x"), "x");
  EXPECT_EQ(Style(Color::on, Charset::utf8).paint(Role::error, ""), "");
  EXPECT_EQ(Style().paint(Role::error, "x"), "x");
}

TEST(Layout, AlignsByCodePoints) {
  const Style style(Color::off, Charset::utf8);
  EXPECT_EQ(layout({{"NAME"}, {"N", Align::right}, {"X"}},
                   {{{"ä"}, {"1"}, {"x"}}, {{"bb"}, {"22"}, {}}}, style, 2),
            "  NAME   N  X\n"
            "  ä      1  x\n"
            "  bb    22\n");
}

TEST(Layout, CutsWithAnEllipsisAndEscapesControls) {
  const Style utf8(Color::off, Charset::utf8);
  EXPECT_EQ(layout({{{}, Align::left, 5}, {}}, {{{"abcdefg"}, {"x"}}}, utf8), "abcd…  x\n");
  EXPECT_EQ(layout({{{}, Align::left, 5}, {}}, {{{"abcdefg"}, {"x"}}}, Style()), "ab...  x\n");
  EXPECT_EQ(layout({{}}, {{{"a\x1b[2J\nb"}}}, utf8), "a\\x1b[2J\\x0ab\n");
  EXPECT_EQ(cut("äöü", 2, utf8), "ä…");
  EXPECT_EQ(cut("äöü", 3, utf8), "äöü");
}

TEST(Layout, ColourDoesNotMoveColumns) {
  const Style style(Color::on, Charset::utf8);
  EXPECT_EQ(layout({{}, {}}, {{{"a", Role::good}, {"x"}}, {{"bb"}, {"y"}}}, style),
            "\x1b[32ma\x1b[0m   x\nbb  y\n");
}

TEST(Wrapped, BreaksAtSpaces) {
  EXPECT_EQ(wrapped("aa bb cc", 7, 2), "  aa bb\n  cc\n");
  EXPECT_EQ(wrapped("longerthanthat b", 5, 0), "longerthanthat\nb\n");
  EXPECT_EQ(wrapped("", 5, 0), "");
}

bool is_json(Format format) {
  return format == Format::json || format == Format::jsonl || format == Format::sarif ||
         format == Format::cyclonedx || format == Format::openvex;
}

TEST(Outgoing, EveryFormatIsHarmless) {
  for (const Format format : kFormats) {
    SCOPED_TRACE(name(format));
    for (const std::string& text : test::marker_texts()) {
      SCOPED_TRACE(printable(text));
      const json::Value value(is_utf8(text) ? text : printable(text));
      const std::string raw = is_json(format) ? json::write_json(value) : text;
      // Annotations are commands by themselves: there foreign text never begins a line.
      const std::string line = (format == Format::gh_annotations ? ".." : "") + raw;
      if (format == Format::gh_annotations && text.find('\n') != std::string::npos) continue;
      const std::string out = outgoing(line, format, Style());
      EXPECT_THAT(test::orders_in(out), ::testing::IsEmpty());
      if (is_json(format)) {
        EXPECT_EQ(*json::parse_json(out), value);
      }
    }
  }
}

TEST(Outgoing, AnnotationsStayCommands) {
  EXPECT_EQ(outgoing("::error file=a::b ##[c]\n", Format::gh_annotations, Style()),
            "::error file=a::b #\\x23[c]\n");
}

TEST(Outgoing, ColoursStayWhereThereAreAny) {
  const Style style(Color::on, Charset::utf8);
  const std::string red = style.paint(Role::error, "bad");
  EXPECT_EQ(outgoing(red, Format::table, style), red);
  EXPECT_THAT(test::orders_in(outgoing(red, Format::table, Style())), ::testing::IsEmpty());
}

TEST(Outgoing, ForeignLinesStandBetweenStopAndStart) {
  EXPECT_EQ(Style().foreign("a\n"), "a\n") << "nobody reads along";
  const Style style = Style().with_stop_token("5ec7e7");
  EXPECT_EQ(style.foreign(""), "");
  const std::string text = "Printed:\n" + style.foreign("::error::x\n::5ec7e8::\n") + "Done\n";
  EXPECT_EQ(
      outgoing(text, Format::table, style),
      "Printed:\n::stop-commands::5ec7e7\n\\x3a:error::x\n\\x3a:5ec7e8::\n::5ec7e7::\nDone\n");
}

}  // namespace
}  // namespace cg::cli
