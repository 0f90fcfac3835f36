// What two versions say, whatever is in their tarballs or missing from them.
#include "flow/propose/reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base/text.h"
#include "npm/notes/notes.h"
#include "npm/upgrade/used.h"

namespace cg::propose {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

exports::Unpacked package(const exports::Files& files, const std::string& version) {
  exports::Unpacked out;
  exports::Files all = files;
  all.try_emplace("package.json",
                  R"({"name":"left","version":")" + version + R"(","main":"index.js"})");
  for (auto& [path, text] : all) {
    out.all[path] = {text.size(), false};
    (notes::is_document(path) ? out.others : out.sources)[path] = text;
  }
  return out;
}

Published published(const char* version, std::optional<exports::Files> files) {
  Published out{semver::Version::parse(version).value(), {}, {}};
  if (files) out.package = package(*files, version);
  return out;
}

upgrade::Used used() {
  const auto syntax = syntax::Syntax::parse("const left = require('left'); left.pad({ by: 1 });",
                                            syntax::Language::javascript);
  return upgrade::used_in(*syntax, "left");
}

Reading reading(std::optional<exports::Files> before, std::optional<exports::Files> after) {
  return read_about("left", published("1.0.0", std::move(before)),
                    published("2.0.0", std::move(after)), used());
}

std::string text_of(const Reading& reading, SourceKind kind) {
  std::string out;
  for (const tiers::Text& text : reading.texts) {
    EXPECT_LE(text.payload.size(), cap_of(text.kind));
    EXPECT_TRUE(is_utf8(text.payload));
    if (text.kind == kind) out += text.payload;
  }
  return out;
}

const exports::Files kOld = {{"index.js", "exports.pad = (text) => text;\n"}};
const exports::Files kNew = {{"index.js", "exports.padStart = (text) => text;\n"}};

TEST(ReadAbout, APackageWithoutTypes) {
  const Reading found = reading(kOld, kNew);
  EXPECT_THAT(text_of(found, SourceKind::package_api), HasSubstr("pad: REMOVED"));
  EXPECT_THAT(text_of(found, SourceKind::package_api), HasSubstr("padStart"));
  EXPECT_TRUE(found.api);
  EXPECT_THAT(found.notes, IsEmpty());
}

TEST(ReadAbout, WithoutATarballOfTheNewVersionNothingIsSaidButThat) {
  const Reading found = reading(kOld, std::nullopt);
  EXPECT_FALSE(found.api);
  EXPECT_THAT(found.texts, IsEmpty());
  EXPECT_THAT(found.notes, ElementsAre("what left 2.0.0 exports could not be read"));
  EXPECT_THAT(reading(std::nullopt, std::nullopt).notes, SizeIs(1));
}

TEST(ReadAbout, WithoutATarballOfTheOldVersionItsAuthorsAreHeardAllTheSame) {
  exports::Files files = kNew;
  files["CHANGELOG.md"] = "## 2.0.0\n- removed `pad`, use `padStart`\n";
  const Reading found = reading(std::nullopt, files);
  EXPECT_TRUE(found.api) << "a rewrite is judged by the new version";
  EXPECT_THAT(text_of(found, SourceKind::package_api), IsEmpty());
  EXPECT_THAT(text_of(found, SourceKind::package_docs), HasSubstr("use `padStart`"));
  EXPECT_THAT(found.notes,
              ElementsAre("what changed in left between 1.0.0 and 2.0.0 could not be read"));
}

TEST(ReadAbout, AChangelogOfFiveMegabytes) {
  exports::Files files = kNew;
  std::string& changelog = files["CHANGELOG.md"];
  changelog = "## 2.0.0\n\n### BREAKING CHANGES\n- `pad` is called `padStart` now\n\n";
  for (int i = 0; changelog.size() < (5U << 20U); ++i) {
    changelog += "## 1.0." + std::to_string(100'000 - i) + "\n- some fix that is of no matter\n\n";
  }
  const std::string said = text_of(reading(kOld, files), SourceKind::package_docs);
  EXPECT_THAT(said, HasSubstr("`pad` is called `padStart` now"));
  // The newest at the end.
  std::string turned = "# Changes\n\n";
  for (int i = 0; turned.size() < (5U << 20U); ++i) {
    turned += "## 0.0." + std::to_string(i) + "\n- some fix that is of no matter\n\n";
  }
  changelog = turned + "## 2.0.0\n- `pad` is called `padStart` now\n";
  EXPECT_THAT(text_of(reading(kOld, files), SourceKind::package_docs),
              HasSubstr("`pad` is called `padStart` now"));
}

TEST(ReadAbout, AChangelogInAnotherLanguage) {
  exports::Files files = kNew;
  files["CHANGELOG.md"] =
      "# Changements\n\n## 2.0.0\n- `pad` a \xC3\xA9t\xC3\xA9 supprim\xC3\xA9, utiliser "
      "`padStart`\n\n## 1.0.0\n- premi\xC3\xA8re version\n";
  const std::string said = text_of(reading(kOld, files), SourceKind::package_docs);
  EXPECT_THAT(said, HasSubstr("utiliser `padStart`"));
  EXPECT_THAT(said, Not(HasSubstr("premi\xC3\xA8re")));
}

TEST(ReadAbout, APackageOfOneMinifiedLineAndTenThousandNames) {
  std::string code;
  for (int i = 0; i < 10'000; ++i) code += "exports.n" + std::to_string(i) + "=a=>a;";
  const Reading found = reading(kOld, exports::Files{{"index.js", code}});
  const std::string said = text_of(found, SourceKind::package_api);
  EXPECT_THAT(said, HasSubstr("pad: REMOVED"));
  EXPECT_THAT(said, HasSubstr("minified"));
  EXPECT_TRUE(found.api);
}

TEST(ReadAbout, FilesThatAreNoTextOrNoCode) {
  for (const char* code : {"", "\xFF\xFE", "exports.pad = {{{{{",
                           "\xEF\xBB\xBF"
                           "exports.pad = 1;\r\n",
                           "#!/usr/bin/env node\nexports.pad = 1;\n"}) {
    const Reading found = reading(kOld, exports::Files{{"index.js", code}});
    EXPECT_THAT(text_of(found, SourceKind::package_api), Not(IsEmpty())) << code;
  }
}

}  // namespace
}  // namespace cg::propose
