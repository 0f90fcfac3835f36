// Where files went that are imported by their paths, and what sources of ours say.
#include "npm/upgrade/paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "npm/upgrade/pair_test.h"

namespace cg::upgrade {
namespace {

using test::two;
using test::used_by;

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Used, StringsThatMayBeNames) {
  const Used used = used_by(
      "import p from 'p'; import './ours.css'; const fs = require('fs');\n"
      "p.sign(x, { algorithm: 'ES256' });\n"
      "if (e.type === 'number.min') log('not of age, sorry');");
  EXPECT_THAT(used.texts, ElementsAre("ES256", "number.min"));
}

TEST(Used, FoldersThatFilesAreTakenFromByName) {
  EXPECT_THAT(used_by("const a = (x) => require(`p/lib/languages/${x}`);").folders,
              ElementsAre("lib/languages"));
  EXPECT_THAT(used_by("const a = (x) => import('p/locale/' + x + '.js');").folders,
              ElementsAre("locale"));
  const Used other = used_by("const a = (x) => require(`q/lib/${x}`); b(`p/${x}`);");
  EXPECT_TRUE(other.folders.empty());
  EXPECT_TRUE(other.texts.empty());
}

TEST(Paths, TheFileThatNamedItSaysWhereItWent) {
  const std::string text =
      two({{"index.js", "exports.list = require('./list')"},
           {"list.js", "module.exports = {\n  'has': require('./list/has'),\n};"},
           {"list/has.js", "module.exports = require('./includes');"},
           {"list/includes.js", "module.exports = function includes(a, b) {}"}},
          {{"index.js", "exports.list = require('./list')"},
           {"list.js", "module.exports = {\n  'includes': require('./includes'),\n};"},
           {"fp/includes.js", ""},
           {"includes.js", "module.exports = function includes(a, b) {}"}})
          .text("const has = require('p/list/has');");
  EXPECT_THAT(text, HasSubstr("require('p/list/has'): which was list/has.js: there is no such"));
  EXPECT_THAT(text, HasSubstr("- of list/has: list.js said: 'has': require('./list/has'); it says "
                              "now: 'includes': require('./includes')\n"));
  EXPECT_THAT(text, HasSubstr("- of list/has: files of that name are: includes.js, fp/"));
}

TEST(Paths, FilesOfAFolder) {
  exports::Files before = {{"index.js", ""}};
  exports::Files after = {{"index.js", ""}};
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "old", "moves"}) {
    before["names/" + std::string(name) + ".js"] = "module.exports = 1";
  }
  for (const char* name : {"a", "b", "c", "d", "e", "f", "fresh", "set/moves", "set/more"}) {
    after["names/" + std::string(name) + ".js"] = "module.exports = 1";
  }
  const std::string text =
      two(before, after).text("['old', 'a'].map((name) => require(`p/names/${name}`));");
  EXPECT_THAT(text, HasSubstr("- files of names/ that are gone: old, g\n"
                              "- files of names/ that are new: fresh\n"
                              "- files of names/ that are in names/set/ now: moves, more (new)\n"));
  const std::string gone = two(before, {{"index.js", ""}}).text("import 'p/names/a.js';");
  EXPECT_THAT(gone, HasSubstr("- the folder names/ is gone\n"));
}

TEST(Paths, WhatCanBeImportedIsSaidOnce) {
  test::Two both = two({{"index.js", ""}, {"a.js", "exports.a = 1"}, {"b.js", "exports.b = 1"}},
                       {{"index.js", ""}});
  both.after.sources["package.json"] =
      R"({"name":"p","version":"2.0.0","exports":{".":"./index.js","./sub":"./sub.js"}})";
  const std::string text = both.text("require('p/a.js'); require('p/b.js');");
  const std::size_t first = text.find("exported paths are: ");
  ASSERT_NE(first, text.npos);
  EXPECT_EQ(text.find("exported paths are: ", first + 1), text.npos);
}

/// What a file tells who loads it, even if the package itself never does.
TEST(Paths, TextsOfTheFileThatIsImported) {
  const std::string text =
      two({{"index.js", "exports.a = 1"}, {"sub.js", "module.exports = require('.')"}},
          {{"index.js", "exports.a = 1"},
           {"sub.js", "console.error(`Importing p/sub is over: use p`);\nmodule.exports = 1;"}})
          .text("const p = require('p/sub'); p.a;");
  EXPECT_THAT(text, HasSubstr("Importing p/sub is over: use p"));
}

}  // namespace
}  // namespace cg::upgrade
