// Dependents under another version of what they import: what no longer loads, and what still does.
#include "npm/exports/faults.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "npm/exports/tarball_test.h"

namespace cg::exports {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Unpacked unpacked(const Files& files) { return unpack(test::tarball(files), {}).value(); }

std::vector<Fault> fresh(const Files& dependent, const Files& before, const Files& after) {
  auto out = new_faults(unpacked(dependent), "dep", unpacked(before), unpacked(after));
  EXPECT_TRUE(out);
  return out ? *std::move(out) : std::vector<Fault>();
}

/// "a.js:3 dep/x name_gone:y"
std::string shown(const Fault& f) {
  return f.file + ":" + std::to_string(f.line) + " " + f.import + " " + std::string(name(f.why)) +
         (f.name.empty() ? "" : ":" + f.name);
}
std::string shown(const std::vector<Fault>& faults) {
  std::string out;
  for (const Fault& fault : faults) out += (out.empty() ? "" : ", ") + shown(fault);
  return out;
}

/// CommonJS that everybody can have by its path, as packages of old are.
const Files kOld = {
    {"package.json", R"({"name": "dep", "version": "3.4.0"})"},
    {"index.js", "exports.v1 = function () {};\nexports.v4 = function () {};\n"},
    {"v4.js", "module.exports = function () {};\n"},
    {"lib/deep.js", "exports.a = 1;\n"},
    {"data.json", "{}"},
    {"features/private/x.js", ""},
    {"lost.js", ""},
};

Files package(const std::string& manifest, const Files& files) {
  Files out = files;
  out["package.json"] = manifest;
  return out;
}
Files of_file(const std::string& text, const std::string& file = "index.js",
              const std::string& more = "") {
  return package(R"({"name": "user", "main": ")" + file + "\"" + more + "}", {{file, text}});
}
Files module_file(const std::string& text) {
  return of_file(text, "index.js", R"(, "type": "module")");
}

const Files kEsm = package(
    R"({"name": "dep", "version": "14.0.0", "type": "module", "exports": {".": "./index.js", "./package.json": "./package.json"}})",
    {{"index.js", "export { default as v4 } from './v4.js';\nexport const v1 = () => 1;\n"},
     {"v4.js", "export default function v4() {}\n"}});
const Files kFewer =
    package(R"({"name": "dep", "version": "4.0.0"})",
            {{"index.js", "exports.v4 = function () {};\n"}, {"lib/deep.js", "exports.b = 1;\n"}});
const Files kSealed = package(
    R"({"name": "dep", "version": "8.0.0", "exports": {".": {"import": "./esm.mjs", "require": "./index.js"},
        "./features/*": "./lib/*.js", "./features/private/*": null, "./lost": "./lost.js"}})",
    {{"index.js", "exports.v1 = 1;\nexports.v4 = 2;\n"},
     {"esm.mjs", "export const v4 = 2;\n"},
     {"lib/deep.js", "exports.a = 1;\n"},
     {"lib/private/x.js", "exports.a = 1;\n"}});

struct Case {
  const char* title;
  Files dependent;
  Files after;
  const char* faults;  // empty: it still loads
};
void PrintTo(const Case& one, std::ostream* out) { *out << one.title; }

class Moved : public testing::TestWithParam<Case> {};

TEST_P(Moved, SaysWhatIsGone) {
  const Case& one = GetParam();
  EXPECT_EQ(shown(fresh(one.dependent, kOld, one.after)), one.faults);
}

// NOLINTBEGIN(cert-err58-cpp): tables of a test
const std::vector<Case> kBreaks = {
    {"deep require of an ES module", of_file("var uuid = require('dep/v4')\nuuid()\n"), kEsm,
     "index.js:1 dep/v4 not_exported"},
    {"require of an ES module", of_file("const { v4 } = require('dep');\n"), kEsm,
     "index.js:1 dep esm_only"},
    {"require within a function",
     of_file("exports.f = function () {\n  return require('dep').v4;\n}\n"), kEsm,
     "index.js:2 dep esm_only"},
    {"require by createRequire",
     module_file("import { createRequire } from 'module';\nconst require = "
                 "createRequire(import.meta.url);\n"
                 "const d = require('dep');\n"),
     kEsm, "index.js:3 dep esm_only"},
    {"exports for import alone", of_file("require('dep')\n"),
     package(R"({"name": "dep", "exports": {"import": "./index.js"}})",
             {{"index.js", "export {}\n"}}),
     "index.js:1 dep esm_only"},
    {"an .mjs main", of_file("require('dep')\n"),
     package(R"({"name": "dep", "main": "main.mjs"})", {{"main.mjs", "export const v4 = 1\n"}}),
     "index.js:1 dep esm_only"},
    {"type module in a folder", of_file("require('dep/lib/deep')\n"),
     package(
         R"({"name": "dep", "main": "lib/deep.js"})",
         {{"lib/deep.js", "export const a = 1\n"}, {"lib/package.json", R"({"type": "module"})"}}),
     "index.js:1 dep/lib/deep esm_only"},
    {"deep path gone", of_file("require('dep/v4')\n"), kFewer, "index.js:1 dep/v4 path_gone"},
    {"deep import gone", module_file("import a from 'dep/v4.js'\n"), kFewer,
     "index.js:1 dep/v4.js path_gone"},
    {"deep path of a file further in",
     package(R"({"name": "user", "main": "index.js"})",
             {{"index.js", "module.exports = require('./lib')\n"},
              {"lib/index.js", "const b = require('../b')\n"},
              {"b.js", "\n\nrequire('dep/v4')\n"}}),
     kFewer, "b.js:3 dep/v4 path_gone"},
    {"of a program",
     package(R"({"name": "user", "bin": {"user": "./cli.js"}})",
             {{"cli.js", "#!/usr/bin/env node\nrequire('dep/v4')\n"}}),
     kFewer, "cli.js:2 dep/v4 path_gone"},
    {"where nothing leads anywhere",
     package(R"({"name": "user"})",
             {{"lib/a.js", "require('dep/v4')\n"}, {"test/a.js", "require('dep/v4')\n"}}),
     kFewer, "lib/a.js:1 dep/v4 path_gone"},
    {"json gone", of_file("require('dep/data.json')\n"), kFewer,
     "index.js:1 dep/data.json path_gone"},
    {"no way in at all", of_file("require('dep')\n"),
     package(R"({"name": "dep", "types": "a.d.ts"})", {{"a.d.ts", ""}}),
     "index.js:1 dep path_gone"},
    {"member gone", of_file("const d = require('dep');\nd.v4();\nd.v1();\n"), kFewer,
     "index.js:3 dep name_gone:v1"},
    {"member of the call gone", of_file("var make = require('dep').v1;\n"), kFewer,
     "index.js:1 dep name_gone:v1"},
    {"destructured name gone", of_file("const { v4, v1: one } = require('dep');\n"), kFewer,
     "index.js:1 dep name_gone:v1"},
    {"taken apart later", of_file("const d = require('dep');\nconst { v1 } = d;\n"), kFewer,
     "index.js:2 dep name_gone:v1"},
    {"name in brackets gone", of_file("const d = require('dep');\nd['v1']();\n"), kFewer,
     "index.js:2 dep name_gone:v1"},
    {"name of a deep module gone", of_file("const { a } = require('dep/lib/deep');\n"), kFewer,
     "index.js:1 dep/lib/deep name_gone:a"},
    {"named import gone", module_file("import { v4, v1 } from 'dep';\n"), kFewer,
     "index.js:1 dep name_gone:v1"},
    {"name of a namespace gone", module_file("import * as d from 'dep';\nd.v1();\n"), kFewer,
     "index.js:2 dep name_gone:v1"},
    {"name of node's default gone", module_file("import d from 'dep';\nd.v1();\n"), kFewer,
     "index.js:2 dep name_gone:v1"},
    {"handed on and gone", module_file("export { v1 as one } from 'dep';\n"), kFewer,
     "index.js:1 dep name_gone:v1"},
    {"dynamic import, deep", module_file("export const f = () => import('dep/v4.js');\n"), kFewer,
     "index.js:1 dep/v4.js path_gone"},
    {"no default any more", module_file("import d from 'dep';\nd();\n"), kEsm,
     "index.js:1 dep name_gone:default"},
    {"as compilers write it", of_file("const dep_1 = require(\"dep\");\n(0, dep_1.v1)();\n"),
     kFewer, "index.js:2 dep name_gone:v1"},
    {"shut by exports", of_file("require('dep/lib/deep')\n"), kSealed,
     "index.js:1 dep/lib/deep not_exported"},
    {"shut by a longer pattern", of_file("require('dep/features/private/x')\n"), kSealed,
     "index.js:1 dep/features/private/x not_exported"},
    {"a target that is not there", of_file("require('dep/lost')\n"), kSealed,
     "index.js:1 dep/lost path_gone"},
    {"other names under import", module_file("import { v1 } from 'dep';\n"), kSealed,
     "index.js:1 dep name_gone:v1"},
};

const std::vector<Case> kStands = {
    {"the names that stayed", of_file("const { v4 } = require('dep');\nrequire('dep').v4();\n"),
     kFewer, ""},
    {"an ES module that is imported", module_file("import { v4, v1 } from 'dep';\nv1();\n"), kEsm,
     ""},
    {"import() in CommonJS", of_file("exports.f = () => import('dep');\n"), kEsm, ""},
    {"in try", of_file("let d;\ntry {\n  d = require('dep/v4');\n} catch (e) {}\n"), kEsm, ""},
    {"a promise with a catch", module_file("import('dep/v4.js').then((d) => d).catch(() => {});\n"),
     kFewer, ""},
    {"looked for first", of_file("const d = require('dep');\nif (d.v1) d.v1();\n"), kFewer, ""},
    {"by typeof",
     of_file("const d = require('dep');\nexports.a = typeof d.v1 === 'function' ? d.v1() : 0;\n"),
     kFewer, ""},
    {"by a question mark", of_file("const d = require('dep');\nd.v1?.();\n"), kFewer, ""},
    {"by a default", of_file("const { v1 = null } = require('dep');\n"), kFewer, ""},
    {"what it sets itself", of_file("const d = require('dep');\nd.v1 = 1;\n"), kFewer, ""},
    {"what all objects have", of_file("const d = require('dep');\nd.hasOwnProperty('v1');\n"),
     kFewer, ""},
    {"the path without its ending", of_file("require('dep/lib/deep').b;\n"), kFewer, ""},
    {"a pattern of exports", of_file("require('dep/features/deep').a;\n"), kSealed, ""},
    {"names under require", of_file("const { v1 } = require('dep');\n"), kSealed, ""},
    {"tests of its own",
     package(R"({"name": "user"})", {{"index.js", ""}, {"test/a.js", "require('dep/v4')\n"}}),
     kFewer, ""},
    {"another package", of_file("require('depth/v4');\nrequire('@dep/x');\n"), kFewer, ""},
    {"a bundle's own require",
     of_file("(function (require) { require('dep/v4') })(function () {});\n"), kFewer, ""},
    {"a name bound anew", of_file("const d = require('dep');\nexports.f = (d) => d.v1();\n"),
     kFewer, ""},
    {"module.exports by another name", of_file("require('dep').v1();\n"),
     package(R"({"name": "dep"})",
             {{"index.js", "const api = module.exports = {};\napi.v1 = 1;\n"}}),
     ""},
    {"a function with who knows what", of_file("require('dep').v1();\n"),
     package(R"({"name": "dep"})", {{"index.js", "module.exports = function () {};\n"}}), ""},
    {"handed on through files", module_file("import { v1 } from 'dep';\n"),
     package(R"({"name": "dep", "type": "module"})",
             {{"index.js", "export * from './a.js';\n"},
              {"a.js", "export { x as v1 } from './b.js';\n"},
              {"b.js", "export const x = 1;\n"}}),
     ""},
    {"handed on from another package", module_file("import { v1 } from 'dep';\n"),
     package(R"({"name": "dep", "type": "module"})", {{"index.js", "export * from 'else';\n"}}),
     ""},
    {"types alone",
     package(R"({"name": "user", "types": "index.d.ts"})",
             {{"index.d.ts", "import { v1 } from 'dep';\n"}}),
     kFewer, ""},
    {"conditions within conditions", of_file("require('dep').v1;\n"),
     package(
         R"({"name": "dep", "exports": {".": {"browser": "./b.js", "node": {"import": "./a.mjs", "require": "./a.cjs"}}}})",
         {{"a.cjs", "exports.v1 = 1;\n"}, {"a.mjs", "export const v1 = 1;\n"}, {"b.js", ""}}),
     ""},
};
// NOLINTEND(cert-err58-cpp)

std::string titled(const testing::TestParamInfo<Case>& info) {
  std::string out = info.param.title;
  for (char& c : out) {
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) c = '_';
  }
  return out;
}
INSTANTIATE_TEST_SUITE_P(Breaks, Moved, testing::ValuesIn(kBreaks), titled);
INSTANTIATE_TEST_SUITE_P(Stands, Moved, testing::ValuesIn(kStands), titled);

TEST(Faults, AsRequestHasThemWithANewUuid) {
  const Files request = package(
      R"({"name": "request", "version": "2.88.2", "main": "index.js"})",
      {{"index.js", "'use strict'\nvar request = require('./request')\nmodule.exports = request\n"},
       {"request.js",
        "var auth = require('./lib/auth')\nvar multipart = require('./lib/multipart')\n"},
       {"lib/auth.js", "'use strict'\n\nvar uuid = require('uuid/v4')\n\nexports.n = uuid()\n"},
       {"lib/multipart.js", "var uuid = require('uuid/v4')\nexports.m = uuid()\n"}});
  const auto found = new_faults(unpacked(request), "uuid", unpacked(kOld), unpacked(kEsm));
  ASSERT_TRUE(found);
  EXPECT_EQ(shown(*found),
            "lib/auth.js:3 uuid/v4 not_exported, lib/multipart.js:1 uuid/v4 not_exported");
  EXPECT_EQ(describe(found->front()), "lib/auth.js:3 imports uuid/v4, which is not exported");
}

TEST(Faults, WhatTheVersionBeforeLackedIsNoNews) {
  const Files dependent =
      of_file("require('dep/gone');\nconst d = require('dep');\nd.never();\nd.v1();\n");
  const auto all = faults(unpacked(dependent), "dep", unpacked(kFewer));
  ASSERT_TRUE(all);
  EXPECT_THAT(*all, SizeIs(3));
  EXPECT_EQ(shown(fresh(dependent, kOld, kFewer)), "index.js:4 dep name_gone:v1");
  EXPECT_THAT(fresh(of_file("require('dep')"), kEsm, kEsm), IsEmpty())
      << "an ES module that was required before";
}

TEST(Faults, AreBoundedAndInOrder) {
  std::string many;
  for (int i = 0; i < 300; ++i) many += "require('dep/n" + std::to_string(i) + "');\n";
  Unpacked before = unpacked(kOld);
  for (int i = 0; i < 300; ++i) before.all["n" + std::to_string(i) + ".js"] = {};
  const auto found = new_faults(unpacked(of_file(many)), "dep", before, unpacked(kOld));
  ASSERT_TRUE(found);
  ASSERT_THAT(*found, SizeIs(kMaxFaults));
  EXPECT_EQ((*found)[1].line, 2U);
}

TEST(Faults, AreToldInPrintableWords) {
  const Fault fault = {"a\x1b[2J.js", 3, "dep/\n", "x", Why::name_gone};
  EXPECT_THAT(describe(fault), HasSubstr("which does not have it"));
  for (const char c : describe(fault)) EXPECT_GE(c, ' ');
}

TEST(Faults, OfWhatIsNoPackageAreAnError) {
  const Unpacked none;
  EXPECT_FALSE(faults(none, "dep", unpacked(kOld)));
  EXPECT_FALSE(faults(unpacked(of_file("")), "dep", none));
}

std::string of_repository(const Files& sources) {
  auto out = new_faults_of(sources, "dep", unpacked(kOld), unpacked(kEsm));
  EXPECT_TRUE(out);
  return out ? shown(*out) : "";
}

TEST(FaultsOfARepository, AreInAnyOfItsFiles) {
  EXPECT_EQ(of_repository({{"src/a.js", "require('dep/v4');\n"}}),
            "src/a.js:1 dep/v4 not_exported");
  EXPECT_EQ(of_repository({{"test/a.js", "const d = require('dep');\n"}}),
            "test/a.js:1 dep esm_only");
  EXPECT_EQ(of_repository({{"src/a.js", "import { v4 } from 'dep';\n"}}), "");
  EXPECT_EQ(of_repository({{"src/a.js", "import { gone } from 'other';\n"}}), "");
  // What it could not have before is no news.
  EXPECT_EQ(of_repository({{"src/a.js", "require('dep/never');\n"}}), "");
}

TEST(FaultsOfARepository, OfTypeScriptArePathsAlone) {
  EXPECT_EQ(of_repository({{"src/a.ts", "import { Options } from 'dep';\n"}}), "");
  EXPECT_EQ(of_repository({{"src/a.tsx", "import v4 from 'dep/v4';\n"}}),
            "src/a.tsx:1 dep/v4 not_exported");
  EXPECT_EQ(of_repository({{"README.md", "import v4 from 'dep/v4';\n"}}), "");
}

}  // namespace
}  // namespace cg::exports
