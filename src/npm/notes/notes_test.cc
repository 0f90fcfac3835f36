// What is picked from documents, and in which order.
#include "npm/notes/notes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base/text.h"
#include "npm/exports/tarball_test.h"
#include "npm/exports/unpack.h"

namespace cg::notes {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

Wanted from_to(std::string_view from, std::string_view to, std::vector<std::string> names = {}) {
  return {"pack", *semver::Version::parse(from), *semver::Version::parse(to), std::move(names)};
}

std::string joined(const Notes& notes) {
  std::string out;
  for (const Piece& piece : notes.pieces) {
    out += piece.file + ":" + std::to_string(piece.line) + " " + std::string(name(piece.kind)) +
           "\n" + piece.text;
  }
  return out;
}

std::string picked(const Files& files, const Wanted& wanted, std::size_t cap = kMaxPieces) {
  return joined(find_notes(files, wanted, cap));
}

TEST(Notes, KnowDocumentsByTheirPaths) {
  for (const std::string_view path : {"CHANGELOG.md",
                                      "changelog",
                                      "lib/History.txt",
                                      "CHANGES.rst",
                                      "RELEASES.markdown",
                                      "MIGRATING.md",
                                      "migration",
                                      "UPGRADE.md",
                                      "UPGRADING",
                                      "README",
                                      "Readme.md",
                                      "README.zh-CN.md",
                                      "docs/v2-changes.md",
                                      "docs/migration/first.md",
                                      "VERSION_11_UPGRADE.md",
                                      "docs/Guides/Migration-Guide-V4.md",
                                      "changelogs/4.x.md",
                                      "CHANGELOG-v4.md",
                                      "API.md",
                                      "docs/api.md"}) {
    EXPECT_TRUE(is_document(path)) << path;
  }
  for (const std::string_view path :
       {"index.js", "node_modules/a/README.md", "lib/migrate.js", "bin/migrate", "CHANGELOG.json",
        "docs/logo.md", "lib/api", "v2-notes.md", "LICENSE", "readmenot.md", "changes.js", ""}) {
    EXPECT_FALSE(is_document(path)) << path;
  }
}

const std::string kSection = "- removed `old`\n- added `fresh`\n\n";

TEST(Notes, TakeTheSectionsBetweenTwoVersions) {
  const std::string newest_first =
      "# Changelog\n\nAll changes.\n\n## Unreleased\n- not yet\n\n## 3.0.0\n- three\n\n### "
      "Fixed\n- fix\n\n## 2.5.0\n- two and a half\n\n## 2.0.0\n- two\n";
  EXPECT_EQ(picked({{"CHANGELOG.md", newest_first}}, from_to("2.0.0", "2.5.0")),
            "CHANGELOG.md:14 section\n## 2.5.0\n- two and a half\n");
  const std::string oldest_first =
      "1.0.0 / 2019\n=====\n* one\n\n2.0.0 / 2020\n=====\n* two\n\n3.0.0 / 2021\n=====\n* three\n";
  EXPECT_EQ(picked({{"HISTORY", oldest_first}}, from_to("1.0.0", "2.1.0")),
            "HISTORY:5 section\n2.0.0 / 2020\n=====\n* two\n");
}

TEST(Notes, KnowAllSpellingsOfHeadings) {
  for (const std::string heading :
       {"## [4.0.0] - 2021-01-03", "# 4.0.0 / 2021-01-03",
        "4.0.0 / 2021-01-03\n=====", "4.0.0\n-----", "## v4", "<a name=\"4.0.0\"></a>",
        "* 4.0.0:", "Version 4.0\n===", "### 4.0.0-beta.1", "<h2>4.0.0</h2>", "**4.0.0** (2021)",
        "==== 4.0.0", "4.0.0 / 2021", "## \xE7\x89\x88\xE6\x9C\xAC 4.0.0"}) {
    SCOPED_TRACE(heading);
    const std::string text =
        "# Changes\n\n## 5.0.0\n- five\n\n" + heading + "\n  - four\n\n" + "## 3.0.0\n- three\n";
    const std::string out = picked({{"CHANGELOG.md", text}}, from_to("3.0.0", "4.9.0"));
    EXPECT_EQ(out, "CHANGELOG.md:6 section\n" + heading + "\n  - four\n");
    std::string other = text;
    other = replaced(other, "\n", "\r\n");
    EXPECT_EQ(picked({{"CHANGELOG.md", "\xEF\xBB\xBF" + other}}, from_to("3.0.0", "4.9.0")), out);
  }
}

TEST(Notes, PutWhatBreaksFirstAndHousekeepingLast) {
  const std::string text = R"(## 2.1.0
- bump deps
- an `other` thing
- `used()` is faster
## 2.0.0
- a new thing
- renamed `a` to `b`
### BREAKING CHANGES
- `used()` returns a promise
- something else
### Security
- CVE-2020-1
)";
  const Notes notes = find_notes({{"CHANGELOG.md", text}}, from_to("1.0.0", "2.1.0", {"used"}));
  std::vector<std::string> order;
  for (const Piece& piece : notes.pieces) {
    order.push_back(std::string(name(piece.kind)) + " " + std::to_string(piece.line));
  }
  EXPECT_THAT(order, ElementsAre("breaking 5", "section 1", "section 5"));
  EXPECT_EQ(
      notes.pieces[0].text,
      "## 2.0.0\n\xE2\x80\xA6\n- renamed `a` to `b`\n### BREAKING CHANGES\n- `used()` returns a "
      "promise\n- something else\n");
  EXPECT_EQ(notes.left_out, 0U);
  // With less room: what breaks and is named, then what breaks.
  EXPECT_EQ(picked({{"CHANGELOG.md", text}}, from_to("1.0.0", "2.1.0", {"used"}), 80),
            "CHANGELOG.md:5 breaking\n## 2.0.0\n\xE2\x80\xA6\n### BREAKING CHANGES\n- `used()` "
            "returns a promise\n");
  EXPECT_GT(find_notes({{"CHANGELOG.md", text}}, from_to("1.0.0", "2.1.0", {"used"}), 80).left_out,
            0U);
}

TEST(Notes, CarryAListWithTheLineAboveIt) {
  const std::string text =
      "## 2.0.0\n\nBreaking changes:\n\n- one\n  ```js\n  # not a heading\n  ```\n- two\n\n"
      "Other:\n- bump x\n";
  EXPECT_EQ(
      picked({{"CHANGELOG.md", text}}, from_to("1.0.0", "2.0.0")),
      "CHANGELOG.md:1 breaking\n## 2.0.0\nBreaking changes:\n- one\n  ```js\n  # not a "
      "heading\n  ```\n- two\nCHANGELOG.md:1 section\n## 2.0.0\n\xE2\x80\xA6\nOther:\n- bump x\n");
}

TEST(Notes, LeaveTheAddressesOfLinksOut) {
  const std::string text =
      "## [2.0.0](https://x.example/c) (2020)\n- drop [the `a` option](https://x.example/a) "
      "([#12](https://x.example/12)) ([3a033f6](https://x.example/3)), see [this](#that)\n";
  EXPECT_EQ(picked({{"CHANGELOG.md", text}}, from_to("1.0.0", "2.0.0")),
            "CHANGELOG.md:1 breaking\n## 2.0.0 (2020)\n- drop the `a` option, see [this](#that)\n");
}

TEST(Notes, TakeMigrationSectionsOfChangelogsToo) {
  const std::string text =
      "# Changelog\n## 2.0.0\n- two\n# Migrating from 1.x to 2.x\n## Names\n- call `b`\n"
      "# Migrating from 0.x to 1.x\n- call `a`\n";
  EXPECT_EQ(picked({{"CHANGELOG.md", text}}, from_to("1.0.0", "2.0.0")),
            "CHANGELOG.md:4 breaking\n# Migrating from 1.x to 2.x\n## Names\n- call `b`\n"
            "CHANGELOG.md:2 section\n## 2.0.0\n- two\n");
}

TEST(Notes, OfATableTakeNoPadding) {
  const std::string text =
      "## 2.0.0\n\n| Old   | New    |\n|-------|:------:|\n| `a`   |  `b`   |\n";
  EXPECT_EQ(picked({{"CHANGELOG.md", text}}, from_to("1.0.0", "2.0.0")),
            "CHANGELOG.md:1 section\n## 2.0.0\n| Old | New |\n|-|:-:|\n| `a` | `b` |\n");
}

TEST(Notes, AChangeOfAMajorVersionIsWorthMoreThanAFix) {
  const std::string text =
      "## 2.0.1\n### Patch Changes\n- removed a typo\n## 2.0.0\n### Added\n- one\n### Changed\n- "
      "two\n### Major Changes\n- three\n";
  const Notes notes = find_notes({{"CHANGELOG.md", text}}, from_to("1.0.0", "2.0.1"));
  EXPECT_EQ(
      joined(notes),
      "CHANGELOG.md:4 breaking\n## 2.0.0\n\xE2\x80\xA6\n### Changed\n- two\n### Major Changes\n- "
      "three\nCHANGELOG.md:4 section\n## 2.0.0\n### Added\n- one\nCHANGELOG.md:1 section\n## "
      "2.0.1\n### Patch Changes\n- removed a typo\n");
}

TEST(Notes, TakeFromAGuideWhatIsAboutOurWay) {
  const std::string text = R"(# Upgrading

Read this.

## From 2.x to 3.x

Call `b()` instead:

```js
# not a heading
b();
```

### Details
More.

## From 1.x to 2.x
Call `a()`.
)";
  EXPECT_EQ(
      picked({{"docs/upgrading.md", text}}, from_to("2.1.0", "3.0.0")),
      "docs/upgrading.md:5 migration\n## From 2.x to 3.x\nCall `b()` instead:\n```js\n# not a "
      "heading\nb();\n```\n### Details\nMore.\n");
  EXPECT_THAT(picked({{"docs/upgrading.md", text}}, from_to("3.0.0", "3.1.0")), IsEmpty());
  // One that names no version is read from its top.
  const std::string plain = "# Upgrading\n\nRead this.\n\n## Names\nCall `b()`.\n";
  EXPECT_EQ(picked({{"UPGRADING.md", plain}}, from_to("3.0.0", "3.1.0")),
            "UPGRADING.md:1 migration\n# Upgrading\nRead this.\nUPGRADING.md:5 migration\n## "
            "Names\nCall `b()`.\n");
  EXPECT_THAT(picked({{"VERSION_2_UPGRADE.md", plain}}, from_to("3.0.0", "3.1.0")), IsEmpty());
}

const std::string kReadme = R"(# pack
[![build](https://x.example/b.svg)](https://x.example)

> Does things.

## Table of contents
- [Install](#install)

## Install
```
npm install pack
```
This package is pure ESM and needs Node 18 or higher.

## API
### pack.parse(text, [options])
Reads a text.

| Option | What |
|--------|------|
| `depth` | how deep |
| `other` | nothing |

```js
import { parse } from 'pack';
parse('a');
```

### pack.print(value)
Writes a text.

```js
pack.print(1);
```

## License
MIT

## Changelog
### 2.0.0
- `read` was renamed to `parse`
### 1.0.0
- first
)";

TEST(Notes, TakeUsesOfTheNamesFromTheReadme) {
  const std::string out =
      picked({{"README.md", kReadme}}, from_to("1.0.0", "2.0.0", {"parse", "depth"}));
  EXPECT_THAT(
      out, StartsWith("README.md:9 breaking\n## Install\n\xE2\x80\xA6\nThis package is pure ESM"));
  EXPECT_THAT(out,
              HasSubstr("README.md:40 breaking\n### 2.0.0\n- `read` was renamed to `parse`\n"));
  EXPECT_THAT(out, HasSubstr("### pack.parse(text, [options])\nReads a text.\n| Option | What "
                             "|\n|-|-|\n| `depth` | how deep |\n"));
  EXPECT_THAT(out, HasSubstr("```js\nimport { parse } from 'pack';\nparse('a');\n```\n"));
  EXPECT_THAT(out, Not(HasSubstr("MIT")));
  EXPECT_THAT(out, Not(HasSubstr("first")));
  EXPECT_THAT(out, Not(HasSubstr("Table of contents")));
  // With little room it is the function that is used.
  const std::string few =
      picked({{"README.md", kReadme}}, from_to("1.0.0", "2.0.0", {"parse"}), 300);
  EXPECT_THAT(few, AllOf(HasSubstr("parse('a');"), Not(HasSubstr("print"))));
}

TEST(Notes, WhatIsTypedIsNoExample) {
  const std::string text =
      "# a\n## Usage\n```sh\nrun --parse `get()`\n```\n```\nnpm run "
      "parse()\n```\n```js\nparse();\n```\n";
  EXPECT_EQ(picked({{"README.md", text}}, from_to("1.0.0", "2.0.0", {"parse"}), 60),
            "README.md:2 usage\n## Usage\n\xE2\x80\xA6\n```js\nparse();\n```\n");
}

TEST(Notes, KeepRoomForExamples) {
  std::string changes = "## 2.0.0\n### Breaking\n";
  for (int i = 0; i < 1000; ++i) changes += "- removed thing " + std::to_string(i) + "\n";
  const Notes notes = find_notes({{"CHANGELOG.md", changes}, {"README.md", kReadme}},
                                 from_to("1.0.0", "2.0.0", {"parse"}), 2000);
  std::size_t sum = 0;
  for (const Piece& piece : notes.pieces) sum += piece.text.size();
  EXPECT_LE(sum, 2000U);
  EXPECT_GT(sum, 1900U);
  EXPECT_THAT(joined(notes), HasSubstr("parse('a');"));
  EXPECT_GT(notes.left_out, 900U);
}

TEST(Notes, ANameInASentenceIsAWord) {
  const std::string text =
      "## 2.0.0\n- you can get it\n- see `a.get`\n- get() waits\n- the getter\n- calls readFile\n";
  const Notes notes = find_notes({{"CHANGELOG.md", text}},
                                 from_to("1.0.0", "2.0.0", {"get", "readFile", "default"}), 80);
  EXPECT_EQ(joined(notes),
            "CHANGELOG.md:1 section\n## 2.0.0\n\xE2\x80\xA6\n- see `a.get`\n- get() "
            "waits\n\xE2\x80\xA6\n- calls "
            "readFile\n");
}

TEST(Notes, APackageIsNotTheNameThatItBeginsWith) {
  Wanted wanted = from_to("1.0.0", "2.0.0", {"high"});
  wanted.package = "high.js";
  const std::string text = "## 2.0.0\n- all of `high.js` is new\n- `high` is new, `v2.high`\n";
  EXPECT_EQ(picked({{"CHANGELOG.md", text}}, wanted, 50),
            "CHANGELOG.md:1 section\n## 2.0.0\n\xE2\x80\xA6\n- `high` is new, `v2.high`\n");
}

TEST(Notes, ARequiredNodeAndASentenceThatStandsOut) {
  for (const char* said :
       {"Runs in browsers, and supports Node 10+.", "It needs Node.js >= 18 to run.",
        "**Please only use forward slashes in patterns.** Back-slashes escape."}) {
    const auto found = find_notes({{"README.md", "# pack\n\n" + std::string(said) + "\n"}},
                                  from_to("1.0.0", "2.0.0"));
    ASSERT_EQ(found.pieces.size(), 1U) << said;
    EXPECT_EQ(found.pieces[0].kind, Piece::Kind::breaking) << said;
  }
  for (const char* said : {"A node has 10% more than others.", "Each node1 is a leaf of trees.",
                           "**Usage:** call it with a name and a value that it may have."}) {
    const auto found = find_notes({{"README.md", "# pack\n\n" + std::string(said) + "\n"}},
                                  from_to("1.0.0", "2.0.0"));
    for (const Piece& piece : found.pieces) EXPECT_EQ(piece.kind, Piece::Kind::usage) << said;
  }
}

TEST(Notes, PackagesThatStandBesideThisOne) {
  const std::string text =
      picked({{"README.md",
               "# pack\n\n## Related\n\n- [pack-template](https://x.org) - Templates\n"
               "- [other](https://x.org) - Something else\n"}},
             from_to("1.0.0", "2.0.0"));
  EXPECT_THAT(text, HasSubstr("- pack-template - Templates"));
  EXPECT_THAT(text, Not(HasSubstr("other")));
}

TEST(Notes, OtherLanguagesHaveVersionsToo) {
  const std::string text =
      "## \xE7\x89\x88\xE6\x9C\xAC 2.0.0\n- \xE5\x8A\xA0\n- \xE7\xA7\xBB\xE9\x99\xA4 `a`\n## "
      "1.0.0\n- b\n";
  EXPECT_EQ(
      picked({{"CHANGELOG.md", text}}, from_to("1.0.0", "2.0.0")),
      "CHANGELOG.md:1 breaking\n## \xE7\x89\x88\xE6\x9C\xAC 2.0.0\n\xE2\x80\xA6\n- "
      "\xE7\xA7\xBB\xE9\x99\xA4 `a`\nCHANGELOG.md:1 section\n## \xE7\x89\x88\xE6\x9C\xAC 2.0.0\n- "
      "\xE5\x8A\xA0\n");
}

TEST(Notes, OneReadmeOfAFolderIsEnough) {
  const std::string text = "# a\nHow `parse()` is called in code.\n";
  EXPECT_EQ(picked({{"README.md", text}, {"README.zh-CN.md", text + "b\n"}},
                   from_to("1.0.0", "2.0.0", {"parse"})),
            "README.md:1 usage\n" + text);
  EXPECT_EQ(picked({{"API.md", "# API\n`parse()` reads.\n"}, {"README.md", text}},
                   from_to("1.0.0", "2.0.0", {"parse"})),
            "README.md:1 usage\n" + text + "API.md:1 usage\n# API\n`parse()` reads.\n");
}

// --- damage and limits ---

TEST(Notes, AreBoundedAndAlwaysUtf8) {
  std::string large = "## 3.0.0\n";
  while (large.size() < kMaxDocument)
    large += "- some change \xFF of a line that is not very long\n";
  const std::string early = "## 2.0.0\n- removed `x`\n" + large;
  const Notes notes = find_notes({{"CHANGELOG.md", early}}, from_to("1.0.0", "2.0.0"));
  EXPECT_THAT(notes.not_read, ElementsAre("CHANGELOG.md"));
  EXPECT_THAT(joined(notes), HasSubstr("- removed `x`"));
  for (const std::size_t cap : {0U, 1U, 40U, 100U, 1000U}) {
    std::size_t sum = 0;
    const Notes all = find_notes({{"CHANGELOG.md", early}}, from_to("1.0.0", "3.0.0"), cap);
    for (const Piece& piece : all.pieces) {
      sum += piece.text.size();
      EXPECT_TRUE(is_utf8(piece.text));
    }
    EXPECT_LE(sum, cap);
  }
}

TEST(Notes, CutLongPartsAtALineAndCloseTheirCode) {
  std::string code;
  for (int i = 0; i < 200; ++i) code += "  call(" + std::to_string(i) + ");\n";
  const std::string text = "## 2.0.0\n### Breaking\n- like this:\n  ```js\n" + code + "  ```\n";
  const Notes cut = find_notes({{"CHANGELOG.md", text}}, from_to("1.0.0", "2.0.0"));
  ASSERT_EQ(cut.pieces.size(), 1U);
  EXPECT_THAT(cut.pieces[0].text, testing::EndsWith(");\n```\n\xE2\x80\xA6\n"));
  EXPECT_LT(cut.pieces[0].text.size(), 1200U);
  // What mentions a name that is used is shown for longer.
  const Notes named = find_notes({{"CHANGELOG.md", text}}, from_to("1.0.0", "2.0.0", {"call"}));
  EXPECT_THAT(named.pieces.at(0).text, HasSubstr("call(199);\n  ```\n"));
}

TEST(Notes, ReadSoManyBytesAndNoMore) {
  Files files;
  for (const char* path : {"a/README.md", "b/README.md", "c/README.md", "CHANGELOG.md"}) {
    files[path] = std::string(kMaxDocument, '-');
  }
  EXPECT_THAT(find_notes(files, from_to("1.0.0", "2.0.0")).not_read,
              ElementsAre("b/README.md", "c/README.md"));
}

TEST(Notes, HostileTextsTakeTheirTurn) {
  std::string headings;
  for (std::size_t i = 0; i < 100'000; ++i)
    headings += std::string(1 + i % 6, '#') + " 2.0.0\n- removed a\n";
  const Notes many = find_notes({{"CHANGELOG.md", headings}}, from_to("1.0.0", "2.0.0"));
  EXPECT_FALSE(many.pieces.empty());
  std::string links = "## 2.0.0\n- ";
  for (int i = 0; i < 200'000; ++i) links += "[![](http";
  EXPECT_FALSE(find_notes({{"CHANGELOG.md", links}}, from_to("1.0.0", "2.0.0")).pieces.empty());
  const std::string line = "## 2.0.0\n" + std::string(2'000'000, 'a');
  const Notes one = find_notes({{"CHANGELOG.md", line}}, from_to("1.0.0", "2.0.0"));
  ASSERT_FALSE(one.pieces.empty());
  for (const Piece& piece : one.pieces) {
    EXPECT_THAT(piece.text, testing::EndsWith("\xE2\x80\xA6\n"));
  }
}

TEST(Notes, AreTheSameEachTime) {
  const Files files = {{"CHANGELOG.md", "## 2.0.0\n" + kSection + "## 1.5.0\n" + kSection},
                       {"README.md", kReadme}};
  const Wanted wanted = from_to("1.0.0", "2.0.0", {"old", "parse"});
  EXPECT_EQ(picked(files, wanted), picked(files, wanted));
  EXPECT_THAT(find_notes({}, wanted).pieces, IsEmpty());
}

TEST(Notes, ComeFromATarball) {
  const exports::Files files = {{"package.json", "{}"},
                                {"CHANGELOG.md", "## 2.0.0\n- removed `x`\n"},
                                {"node_modules/a/README.md", "no"},
                                {"index.js", "1;\n"}};
  exports::Limits limits;
  const auto unpacked = exports::unpack(exports::test::tarball(files), limits, is_document);
  ASSERT_TRUE(unpacked);
  ASSERT_EQ(unpacked->others.size(), 1U);
  EXPECT_THAT(picked(unpacked->others, from_to("1.0.0", "2.0.0")), HasSubstr("removed `x`"));
  limits.other = 10;
  const auto cut = exports::unpack(exports::test::tarball(files), limits, is_document);
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->others.at("CHANGELOG.md"), "## 2.0.0\n-");
  EXPECT_EQ(cut->all.at("CHANGELOG.md").bytes, 23U);
  EXPECT_THAT(exports::unpack(exports::test::tarball(files), limits)->others, IsEmpty());
}

}  // namespace
}  // namespace cg::notes
