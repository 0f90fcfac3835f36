#include "flow/propose/sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/json/json.h"
#include "model/prompt/fence.h"

namespace cg::propose {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using Files = std::map<std::string, std::string>;

/// A function of about `bytes` that uses the package once.
std::string function(const std::string& name, std::size_t bytes) {
  std::string out = "exports." + name + " = (text) => {\n";
  while (out.size() + 60 < bytes) out += "  text = text.concat('a line of some length');\n";
  return out + "  return left.pad(text);\n};\n";
}

std::string file(std::size_t functions, std::size_t bytes) {
  std::string out = "const left = require('left');\n";
  for (std::size_t i = 0; i < functions; ++i) out += function("f" + std::to_string(i), bytes);
  return out;
}

std::vector<std::string> paths_of(const Part& part) {
  std::vector<std::string> out;
  for (const auto& [path, text] : part.texts) out.push_back(path);
  return out;
}

std::size_t cost_of(const Part& part) {
  std::size_t out = 0;
  for (const tiers::Text& text : part.snippets) out += prompt_cost(text);
  return out;
}

/// No file is in two parts, no part has too much, and each snippet is of a file of its part.
void expect_sound(const Sources& sources) {
  ASSERT_FALSE(sources.parts.empty());
  EXPECT_LE(sources.parts.size(), kMaxParts);
  std::set<std::string> seen;
  for (const Part& part : sources.parts) {
    EXPECT_LE(cost_of(part), kMaxPartBytes);
    EXPECT_LE(part.snippets.size(), most_of(SourceKind::source_snippet));
    for (const auto& [path, text] : part.texts) EXPECT_TRUE(seen.insert(path).second) << path;
    for (const tiers::Text& text : part.snippets) EXPECT_TRUE(part.texts.contains(text.label));
  }
}

TEST(SourcesAmong, OneQuestionShowsAllThatFits) {
  const Sources sources = sources_among(
      {{"a.js", file(1, 200)}, {"b.js", file(3, 200)}, {"c.js", "exports.a = 1;\n"}}, "left");
  expect_sound(sources);
  ASSERT_THAT(sources.parts, SizeIs(1));
  EXPECT_THAT(paths_of(sources.parts[0]), ElementsAre("a.js", "b.js"));
  EXPECT_EQ(sources.parts[0].snippets.front().label, "b.js") << "what uses it most comes first";
  EXPECT_THAT(sources.notes, IsEmpty());
}

TEST(SourcesAmong, WithoutAnyFileThereIsStillAQuestion) {
  const Sources sources = sources_among({{"a.js", "exports.a = 1;\n"}}, "left");
  ASSERT_THAT(sources.parts, SizeIs(1));
  EXPECT_THAT(sources.parts[0].texts, IsEmpty());
}

TEST(SourcesAmong, FortyFilesAreSharedOutAmongSeveral) {
  Files files;
  for (int i = 0; i < 40; ++i) files["src/f" + std::to_string(100 + i) + ".js"] = file(2, 700);
  const Sources sources = sources_among(files, "left");
  expect_sound(sources);
  EXPECT_EQ(sources.files(), 40U);
  EXPECT_THAT(sources.parts, SizeIs(5));
  EXPECT_THAT(sources.notes, IsEmpty());
}

TEST(SourcesAmong, ManySmallFilesStayBelowWhatAPromptHasOfSegments) {
  Files files;
  for (int i = 0; i < 90; ++i) files["f" + std::to_string(100 + i) + ".js"] = file(1, 0);
  const Sources sources = sources_among(files, "left");
  expect_sound(sources);
  EXPECT_EQ(sources.files(), 90U);
}

TEST(SourcesAmong, WhatNoQuestionHoldsIsSaid) {
  Files files;
  for (int i = 0; i < 200; ++i) files["f" + std::to_string(100 + i) + ".js"] = file(1, 6500);
  const Sources sources = sources_among(files, "left");
  expect_sound(sources);
  EXPECT_THAT(sources.parts, SizeIs(kMaxParts));
  // Two of them whole in each; of others the line that imports it, which may be all that changes.
  EXPECT_GT(sources.files(), 2 * kMaxParts);
  EXPECT_LT(sources.files(), files.size());
  EXPECT_THAT(sources.notes, SizeIs(6)) << "five of them, and how many more";
  EXPECT_EQ(sources.notes[0], "f116.js: 1 function did not fit and was not shown to the model");
  EXPECT_EQ(sources.notes.back(), "179 more files of which not everything was shown to the model");
  // Where not even that fits.
  const Sources none = sources_among(
      {{"a.js", "exports.a = () => require('left').pad('" + std::string(20'000, 'x') + "');\n"}},
      "left");
  EXPECT_EQ(none.files(), 0U);
  EXPECT_THAT(none.notes, ElementsAre("a.js uses left too, and was not shown to the model"));
}

/// What the text takes in the end is never more than was reckoned with, whatever is in it.
TEST(SourcesAmong, IsReckonedAsTheCallPaysForIt) {
  std::string odd = "'";
  for (int i = 0; i < 400; ++i) odd += "\\\\\\\"\t\x01\xC2\x85\xC3\xA9\x7F";
  odd += "'";
  const std::string payload = "left.pad(" + odd + ");\r\n";
  prompt::Nonce nonce = prompt::Nonce::from({});
  const auto fenced = prompt::fence(payload, SourceKind::source_snippet, nonce);
  const tiers::Text text{SourceKind::source_snippet, payload, "src/a.js", 12};
  const std::string shown = "\nSource (src/a.js:12):\n" + fenced.segment.text() + "\n";
  EXPECT_FALSE(fenced.truncated);
  EXPECT_LE(json::write_json(json::Value(shown)).size(), prompt_cost(text));
  // So such a file is cut, not sent as more than a call takes.
  std::string source = "const left = require('left');\n";
  for (int i = 0; i < 8; ++i) {
    source += "exports.f" + std::to_string(i) + " = () => {\n  return left.pad(" + odd + ");\n};\n";
  }
  const Sources sources = sources_among({{"a.js", source}}, "left");
  expect_sound(sources);
  EXPECT_EQ(sources.files(), 1U);
  EXPECT_THAT(sources.notes, Contains(HasSubstr("did not fit")));
}

TEST(SourcesAmong, WhatCannotBeReadIsNamedAndNotSent) {
  const std::string use = "import left from 'left';\nleft.pad('\xFF');\n";
  std::string wide = "\xFF\xFE";
  for (const char c : std::string("require('left')")) (wide += c) += '\0';
  const Sources sources =
      sources_among({{"App.vue", "<script>import left from 'left'</script>"},
                     {"a.svelte", "<script>import left from 'left'</script>"},
                     {"latin.js", use},
                     {"wide.js", wide},
                     {"huge.js", "require('left');" + std::string(3U << 20U, ' ')},
                     {"ok.js", file(1, 100)}},
                    "left");
  expect_sound(sources);
  EXPECT_THAT(paths_of(sources.parts[0]), ElementsAre("ok.js"));
  EXPECT_THAT(sources.notes,
              ElementsAre("App.vue may use left too: files of this kind are not read",
                          "a.svelte may use left too: files of this kind are not read",
                          "huge.js may use left too, and was not read: it is too large",
                          "latin.js may use left too, and was not read: it is not UTF-8",
                          "wide.js may use left too, and was not read: it is not UTF-8"));
}

TEST(SourcesAmong, AFileThatImportsItFiveHundredTimesIsShownInPart) {
  std::string text;
  for (int i = 0; i < 500; ++i) {
    text += "exports.f" + std::to_string(i) + " = () => require('left').pad(" + std::to_string(i) +
            ");\n";
  }
  const Sources sources = sources_among({{"a.js", text}}, "left");
  expect_sound(sources);
  EXPECT_THAT(sources.parts[0].snippets, testing::Not(IsEmpty()));
  EXPECT_THAT(sources.notes, Contains(HasSubstr("did not fit and was not shown to the model")));
}

TEST(SourcesAmong, AMinifiedFileIsNotSentWhole) {
  std::string text = "const l=require('left');";
  for (int i = 0; i < 4000; ++i) text += "function f" + std::to_string(i) + "(a){return a+1}";
  text += "exports.x=a=>l.pad(a);";
  const Sources sources = sources_among({{"a.min.js", text}}, "left");
  expect_sound(sources);
  for (const tiers::Text& one : sources.parts[0].snippets) EXPECT_LT(one.payload.size(), 1000U);
}

TEST(SourcesAmong, JsxAndTsxAreRead) {
  const Sources sources = sources_among(
      {{"a.jsx", "import { Pad } from 'left';\nexport const A = () => <Pad by={2} />;\n"},
       {"b.tsx", "import { Pad } from 'left';\nexport const B = () => <Pad<string> by={2} />;\n"}},
      "left");
  expect_sound(sources);
  EXPECT_EQ(sources.files(), 2U);
  EXPECT_THAT(sources.parts[0].snippets,
              Contains(testing::Field(&tiers::Text::payload, HasSubstr("<Pad by={2} />"))));
}

TEST(SourcesAmong, ByteOrderMarksAndCarriageReturnsDoNoHarm) {
  const Sources sources =
      sources_among({{"a.js",
                      "\xEF\xBB\xBF"
                      "const left = require('left');\r\nexports.a = () => left.pad(1);\r\n"}},
                    "left");
  expect_sound(sources);
  ASSERT_EQ(sources.files(), 1U);
  EXPECT_EQ(sources.parts[0].snippets.back().line, 2U);
}

TEST(SourcesAmong, ImportsAndDefinitionsThatFollowUponEachOtherAreOnePiece) {
  const Sources sources =
      sources_among({{"a.js",
                      "'use strict';\nconst left = require('left');\nconst fs = require('fs');\n\n"
                      "const LIMIT = 3;\n// Why.\nconst MORE = 4;\n"
                      "exports.a = () => left.pad(fs.x, LIMIT, MORE);\n"
                      "exports.b = () => left.pad(1);\n"}},
                    "left");
  std::vector<std::string> texts;
  for (const tiers::Text& text : sources.parts[0].snippets) texts.push_back(text.payload);
  EXPECT_THAT(texts,
              ElementsAre("const left = require('left');\nconst fs = require('fs');\n\n"
                          "const LIMIT = 3;",
                          "const MORE = 4;", "exports.a = () => left.pad(fs.x, LIMIT, MORE);",
                          "exports.b = () => left.pad(1);"));
}

TEST(SourcesAmong, HelpersOfOtherFilesComeLastAndMayNotBeRewritten) {
  const Files files = {
      {"src/a.js",
       "const left = require('left');\nconst { tidy } = require('./lib/text');\n"
       "exports.a = (x) => left.pad(tidy(x));\n"},
      {"src/b.js",
       "const left = require('left');\nconst { tidy } = require('./lib/text');\n"
       "exports.b = (x) => left.pad(tidy(x));\n"},
      {"src/lib/text.js", "exports.tidy = (x) => x.trim();\nexports.other = 1;\n"}};
  const auto lookup = [&](const std::string& path) {
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional(found->second);
  };
  const Sources sources = sources_among(files, "left", lookup);
  ASSERT_THAT(sources.parts, SizeIs(1));
  const Part& part = sources.parts[0];
  EXPECT_THAT(paths_of(part), ElementsAre("src/a.js", "src/b.js"));
  const tiers::Text& last = part.snippets.back();
  EXPECT_EQ(last.label, "src/lib/text.js");
  EXPECT_EQ(last.payload, "exports.tidy = (x) => x.trim();");
  EXPECT_EQ(last.line, 1U);
  std::size_t of_helper = 0;
  for (const tiers::Text& text : part.snippets) of_helper += text.label == last.label ? 1U : 0U;
  EXPECT_EQ(of_helper, 1U) << "once, though both need it";
}

TEST(SourcesAmong, HelpersLieWhereImportsLookForThem) {
  const std::string use = "import left from 'left';\nimport { tidy } from '";
  const std::string rest = "';\nexport const a = (x) => left.pad(tidy(x));\n";
  const struct {
    const char* specifier;
    const char* path;
  } rows[] = {{"./text", "src/text.ts"},
              {"./text.js", "src/text.ts"},
              {"./text", "src/text/index.js"},
              {"../text.mjs", "text.mjs"},
              {"../../text", ""},
              {"./missing", ""},
              {"./..//src/./text", "src/text.js"}};
  for (const auto& row : rows) {
    std::vector<std::string> asked;
    const auto lookup = [&](const std::string& path) -> std::optional<std::string> {
      asked.push_back(path);
      if (path != row.path) return std::nullopt;
      return "export const tidy = (x) => x;\n";
    };
    const Sources sources =
        sources_among({{"src/a.js", use + row.specifier + rest}}, "left", lookup);
    const std::string last = sources.parts[0].snippets.back().label;
    EXPECT_EQ(last, *row.path == '\0' ? "src/a.js" : row.path) << row.specifier;
    for (const std::string& path : asked) EXPECT_THAT(path, testing::Not(HasSubstr(".."))) << path;
  }
}

}  // namespace
}  // namespace cg::propose
