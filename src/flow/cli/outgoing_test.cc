#include "flow/cli/outgoing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base/text.h"
#include "base/json/json.h"
#include "support/markers.h"

namespace cg::cli {
namespace {

using ::testing::IsEmpty;

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
      EXPECT_THAT(test::orders_in(out), IsEmpty());
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
  EXPECT_THAT(test::orders_in(outgoing(red, Format::table, Style())), IsEmpty());
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
