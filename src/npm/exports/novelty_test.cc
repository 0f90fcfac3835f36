// What a version brings that the one before it had not.
#include "npm/exports/novelty.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "npm/exports/tarball_test.h"

namespace cg::exports {
namespace {

using test::tarball;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Novelty between(const Files& before, const Files& after) {
  const auto found = compare(tarball(before), tarball(after));
  EXPECT_TRUE(found);
  return found ? *found : Novelty{};
}

const Files kBefore = {{"package.json", R"({"name":"m","version":"1.0.0","main":"lib/a.js",
                          "bin":{"m":"cli.js"},"scripts":{"test":"x","install":"node-gyp rebuild"}})"},
                       {"lib/a.js", "exports.a = 1;\n"},
                       {"cli.js", "1;\n"}};

TEST(Novelty, OfTheSameIsNothing) {
  const Novelty same = between(kBefore, kBefore);
  EXPECT_THAT(describe(same), IsEmpty());
  EXPECT_EQ(same.files_after, 3U);
}

TEST(Novelty, FollowsWhatRunsWhenItIsImported) {
  Files after = kBefore;
  after["lib/a.js"] = "require('./b');\nimport('../c.mjs');\nexports.a = () => require('x');\n";
  after["lib/b.js"] = "module.exports = require('./deep');\n";
  after["lib/deep/index.js"] = "1;\n";
  after["c.mjs"] = "export * from './d.mjs';\n";
  after["d.mjs"] = "export const d = 1;\n";
  after["test/unused.js"] = "1;\n";
  after["lib/a.d.ts"] = "export const a: number;\n";
  EXPECT_THAT(between(kBefore, after).loaded,
              ElementsAre("c.mjs", "d.mjs", "lib/b.js", "lib/deep/index.js"));
}

TEST(Novelty, NamesProgramsInstallScriptsAndNativeCode) {
  Files after = kBefore;
  after["package.json"] = R"({"name":"m","version":"1.0.1","main":"lib/a.js",
      "bin":{"m":"other.js","n":"n.js"},
      "scripts":{"test":"y","install":"node-gyp rebuild","postinstall":"node x.js"}})";
  after["build/Release/x.node"] =
      "\x7f"
      "ELF";
  after["data.bin"] =
      "\x7f"
      "ELF\x02";
  after["binding.gyp"] = "{}";
  const Novelty news = between(kBefore, after);
  EXPECT_THAT(news.programs, ElementsAre("m -> other.js", "n -> n.js"));
  EXPECT_THAT(news.scripts, ElementsAre("postinstall: node x.js"));
  EXPECT_THAT(news.native, ElementsAre("binding.gyp", "build/Release/x.node", "data.bin"));
  EXPECT_THAT(describe(news),
              ElementsAre("3 new native files: binding.gyp, build/Release/x.node, data.bin",
                          "2 new programs: m -> other.js, n -> n.js",
                          "1 new or changed install script: postinstall: node x.js",
                          HasSubstr("files 3 -> 6")));
}

TEST(Novelty, WhatOthersWroteIsBoundedAndShown) {
  Files after = kBefore;
  std::string source;
  for (int i = 0; i < 9; ++i) {
    const std::string path = "f" + std::to_string(i) + std::string(60, 'x') + ".js";
    after[path] = "1;\n";
    source += "require('../" + path + "');\n";
  }
  after["lib/a.js"] = source;
  after["package.json"] = R"({"name":"m","main":"lib/a.js","bin":{"m":"cli.js"},
      "scripts":{"preinstall":"\u001b[2J)" +
                          std::string(300, 'y') + R"("}})";
  const auto lines = describe(between(kBefore, after));
  ASSERT_GE(lines.size(), 2U);
  EXPECT_THAT(lines[0],
              testing::StartsWith("1 new or changed install script: preinstall: \\x1b[2Jyy"));
  EXPECT_LT(lines[0].size(), 200U);
  EXPECT_THAT(lines[1], HasSubstr("and 4 more"));
}

TEST(Novelty, OfWhatIsNoPackageIsAnError) {
  EXPECT_EQ(compare("x", tarball(kBefore)).error(), Error::not_a_package);
  EXPECT_EQ(compare(tarball(kBefore), tarball({{"a.js", "1"}})).error(), Error::bad_manifest);
  EXPECT_EQ(compare(tarball(kBefore), tarball({{"package.json", "[]"}})).error(),
            Error::bad_manifest);
}

}  // namespace
}  // namespace cg::exports
