// Texts into blocks.
#include "npm/notes/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "npm/notes/piece.h"
#include "npm/notes/versions.h"

namespace cg::notes {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// "h2 3" for a heading in line 3, "item 4-6".
std::vector<std::string> shapes(std::string_view text, Document::IsTitle is_title = nullptr) {
  static constexpr std::array<std::string_view, 6> kNames = {"h",    "text",   "item",
                                                             "code", "header", "row"};
  std::vector<std::string> out;
  const Document document = Document::parse(text, is_title);
  for (const Block& block : document.blocks()) {
    std::string line(kNames.at(static_cast<std::size_t>(block.shape)));
    if (block.shape == Block::Shape::heading) line += std::to_string(block.level);
    line += " " + std::to_string(block.first + 1);
    if (block.last > block.first + 1) line += "-" + std::to_string(block.last);
    out.push_back(line);
  }
  return out;
}

TEST(Document, TellsWhatLinesAre) {
  const struct {
    std::string_view text;
    std::vector<std::string> shapes;
  } cases[] = {
      {"", {}},
      {"# A\ntext\nmore\n\n## B ##\n", {"h1 1", "text 2-3", "h2 5"}},
      {"4.0.0 / 2020\n============\n  * a\n  * b\n", {"h1 1-2", "item 3", "item 4"}},
      {"a\nTitle\n-----\nb\n", {"text 1", "h2 2-3", "text 4"}},
      {"- a\nTitle\n-----\n", {"item 1", "h2 2-3"}},
      {"##4.0.0\n#12 is fixed\n", {"h2 1", "text 2"}},
      {"<h2>4.0.0</h2>\ntext\n", {"h2 1", "text 2"}},
      {"=== 1.0.0 / 2010\n* a\n", {"h3 1", "item 2"}},
      {"- a\n  more\n  - b\n\n  still\n\ntext\n", {"item 1-5", "text 7"}},
      {"- a\nlazy\n- b\n", {"item 1-2", "item 3"}},
      {"1. a\n2) b\n*bold*\n", {"item 1", "item 2-3"}},
      {"---\n***\n- - -\n", {}},
      {"[a]: https://x.example/\ntext\n", {"text 2"}},
      {"| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 | 4 |\n", {"header 1-2", "row 3", "row 4"}},
      {"text\n\n    code();\n\n    more();\nend\n", {"text 1", "code 3-5", "text 6"}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(shapes(c.text), c.shapes);
  }
}

TEST(Document, AHeadingInCodeOrInACommentIsNone) {
  EXPECT_THAT(shapes("```sh\n# no\n~~~\n```\n# yes\n"), ElementsAre("code 1-4", "h1 5"));
  EXPECT_THAT(shapes("~~~\n```\n# no\n~~~\n# yes\n"), ElementsAre("code 1-4", "h1 5"));
  EXPECT_THAT(shapes("````\n```\n# no\n````\n"), ElementsAre("code 1-4"));
  EXPECT_THAT(shapes("- a:\n\n  ```js\n# no\n  ```\n- b\n"), ElementsAre("item 1-5", "item 6"));
  EXPECT_THAT(shapes("<!-- a\n# no\n-->\n# yes\n"), ElementsAre("h1 4"));
}

TEST(Document, WhatIsNeverClosedWasNeverOpened) {
  EXPECT_THAT(shapes("```\n# yes\n"), ElementsAre("text 1", "h1 2"));
  EXPECT_THAT(shapes("<!--\n# yes\n"), ElementsAre("text 1", "h1 2"));
  EXPECT_THAT(shapes("````\n```\n# yes\n"), ElementsAre("text 1-2", "h1 3"));
}

TEST(Document, LinesMayBeTitlesToo) {
  EXPECT_THAT(shapes("* 4.0.0:\n  - a\n  - b\n* 3.0.0:\n  - c\n", is_release_line),
              ElementsAre("h0 1", "item 2", "item 3", "h0 4", "item 5"));
}

TEST(Document, IsUtf8WithPlainLines) {
  const Document document = Document::parse(
      "\xEF\xBB\xBF# A\r\nb\xFF\xFE"
      "c\rd",
      nullptr);
  ASSERT_EQ(document.line_count(), 3U);
  EXPECT_EQ(document.line(0), "# A");
  EXPECT_EQ(document.title(document.blocks().front()), "A");
  EXPECT_EQ(document.line(1),
            "b\xEF\xBF\xBD"
            "c");
  EXPECT_EQ(document.line(2), "d");
  EXPECT_FALSE(document.is_cut());
}

TEST(Document, HasAnEnd) {
  std::string many;
  for (std::size_t i = 0; i <= kMaxLines; ++i) many += "#\n";
  const Document lines = Document::parse(many, nullptr);
  EXPECT_TRUE(lines.is_cut());
  EXPECT_EQ(lines.line_count(), kMaxLines);
  EXPECT_TRUE(Document::parse(std::string(kMaxDocument + 1, 'a'), nullptr).is_cut());
  EXPECT_FALSE(Document::parse(std::string(kMaxDocument, 'a'), nullptr).is_cut());
}

// What would take hours if it were not linear.
TEST(Document, HostileTextsTakeTheirTurn) {
  std::string nested;
  for (std::size_t i = 0; i < 3000; ++i) nested += std::string(i, ' ') + "- a\n";
  EXPECT_THAT(shapes(nested), SizeIs(1));
  std::string fences;
  for (std::size_t i = 0; i < 100'000; ++i) fences += i % 2 == 0 ? "```js\n" : "~~~~ a\n";
  EXPECT_THAT(shapes(fences), SizeIs(1));
  std::string comments;
  for (std::size_t i = 0; i < 100'000; ++i) comments += "<!-- a\n";
  EXPECT_THAT(shapes(comments), SizeIs(1));
  EXPECT_THAT(shapes(comments + "-->"), IsEmpty());
}

}  // namespace
}  // namespace cg::notes
