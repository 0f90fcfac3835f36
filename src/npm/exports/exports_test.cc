#include "npm/exports/exports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "npm/exports/entries.h"
#include "npm/exports/tarball_test.h"

namespace cg::exports {
namespace {

using test::tarball;

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

Api api_of(Files files, std::string manifest = "{}") {
  files.emplace("package.json", std::move(manifest));
  return read_files(files).value();
}

std::string described(const Module& module) {
  std::string out = module.style == Style::esm            ? "esm"
                    : module.style == Style::declarations ? "types"
                                                          : "commonjs";
  for (const auto& [exported, what] : module.names) {
    out += " " + exported + ":" + std::string(name(what.form));
    if (!what.arity) continue;
    out += "/" + std::to_string(what.arity->least);
    if (what.arity->most != what.arity->least) {
      out += "-" + (what.arity->most ? std::to_string(*what.arity->most) : "");
    }
  }
  return out + (module.complete ? "" : " ...");
}

/// What index.js, or another file, exports.
std::string names(std::string text, const std::string& file = "index.js") {
  return described(
      api_of({{file, std::move(text)}}, R"({"main":")" + file + "\"}").modules.at(file));
}

TEST(Exports, OfModules) {
  EXPECT_EQ(names("export function f(a, b = 1, ...c) {}"), "esm f:function/1-");
  EXPECT_EQ(names("export class C { constructor(a, b) {} } export class D {}"),
            "esm C:class/2 D:class");
  EXPECT_EQ(names("export const a = 1, b = x => x, { c, d: e } = {};"),
            "esm a:constant b:function/1 c:unknown e:unknown");
  EXPECT_EQ(names("export default function () {}"), "esm default:function/0");
  EXPECT_EQ(names("const g = async (x, {y}) => {}; export { g as h, g as default };"),
            "esm default:function/2 h:function/2");
  EXPECT_EQ(names("export * as all from './none.js'; export { x } from 'other';"),
            "esm all:unknown x:unknown");
  EXPECT_EQ(names("export * from 'other';"), "esm ...");
  EXPECT_EQ(names("import 'x';"), "esm");
}

TEST(Exports, OfCommonJs) {
  EXPECT_EQ(names("exports.a = exports.b = void 0; exports.a = (x) => 1;"),
            "commonjs a:function/1 b:unknown");
  EXPECT_EQ(names("module.exports = { f, g: 1, h(a) {}, 'i': function () {} }; function f(a) {}"),
            "commonjs f:function/1 g:constant h:function/1 i:function/0");
  EXPECT_EQ(names("Object.defineProperty(exports, '__esModule', {}); exports['x'] = class {};"),
            "commonjs x:class");
  EXPECT_EQ(names("module.exports = f; function f(a) {} f.sync = (b) => 1;"),
            "commonjs default:function/1 sync:function/1 ...");
  EXPECT_EQ(names("__export(src, { a: () => b }); module.exports = __toCommonJS(src);"),
            "commonjs a:unknown");
  EXPECT_EQ(names("0 && (module.exports = { a, b });"), "commonjs a:unknown b:unknown");
  EXPECT_EQ(names("exports[name] = 1;"), "commonjs ...");
  EXPECT_EQ(names("module.exports = make();"), "commonjs default:unknown ...");
  EXPECT_EQ(names("(function (e) { e.a = 1 })(exports);"), "commonjs ...");
  EXPECT_EQ(names("(function (g, f) { f(exports); })(this, function (exports) { exports.a = 1 });"),
            "commonjs a:constant ...");
  EXPECT_EQ(names("console.log(1)"), "commonjs ...");
  EXPECT_EQ(names("module.exports = { ...other, [x]: 1 };"), "commonjs ...");
  EXPECT_TRUE(names("exports.a = (((;").ends_with(" ..."));
}

TEST(Exports, OfDeclarations) {
  const auto types = [](std::string text) { return names(std::move(text), "index.d.ts"); };
  EXPECT_EQ(types("export declare function f(a: string, b?: number): void;"
                  "export declare function f(): void;"),
            "types f:function/0-2");
  EXPECT_EQ(types("export class C { constructor(a: string); m(): void; }\n"
                  "export interface I {} export type T = I; export enum E { a }\n"
                  "export declare const v: number; export declare namespace N { const x: 1; }"),
            "types C:class/1 E:constant I:type N:constant T:type v:constant");
  EXPECT_EQ(types("declare function g(this: X, ...a: any[]): void; export { g as h };"),
            "types h:function/0-");
  EXPECT_EQ(types("declare function g(): void; export = g;"), "types default:unknown ...");
  EXPECT_EQ(types("declare module 'x' { export function f(): void; }"), "types f:function/0");
  EXPECT_EQ(types("declare function g(): void;"), "types ...");
}

TEST(Exports, AreFollowedInsideThePackage) {
  const Files files = {
      {"index.js",
       "export * from './lib/a.js'; export { b as c } from './lib'; export * from './no';"},
      {"lib/a.js", "export const a = 1; export default 2; export * from '../index.js';"},
      {"lib/index.js", "import { z } from './z'; export { z as b };"},
      {"lib/z.js", "export function z(x) {}"}};
  EXPECT_EQ(described(api_of(files).modules.at("index.js")), "esm a:constant c:function/1 ...");
  const Files commonjs = {
      {"index.js", "module.exports = require('./a'); exports.b = require('./b').b;"},
      {"a.js", "exports.a = (x) => x; __exportStar(require('./b'), exports);"},
      {"b.js", "exports.b = exports.d = 1;"}};
  EXPECT_EQ(described(api_of(commonjs).modules.at("index.js")),
            "commonjs a:function/1 b:constant d:constant default:unknown");
  const Files types = {{"index.js", ""},
                       {"index.d.ts", "export * from './a.js'; export { b } from './b';"},
                       {"a.d.ts", "export type A = 1;"},
                       {"b/index.d.ts", "export declare const b: 1;"}};
  EXPECT_EQ(described(api_of(types).modules.at("index.d.ts")), "types A:type b:constant");
}

TEST(Exports, FollowNeitherCirclesNorEndlessChains) {
  Files chain;
  for (int i = 0; i < 200; ++i) {
    chain[i == 0 ? "index.js" : std::to_string(i) + ".js"] =
        "export * from './" + std::to_string(i + 1) + ".js'; export const n" + std::to_string(i) +
        " = 1;";
  }
  const Api api = api_of(chain);
  EXPECT_FALSE(api.modules.at("index.js").complete);
  EXPECT_GE(api.modules.at("index.js").names.size(), 30U);
  Limits limits;
  limits.modules = 3;
  chain["package.json"] = "{}";
  EXPECT_LE(read_files(chain, limits)->modules.at("index.js").names.size(), 4U);
  limits = {};
  limits.parsed = 10;
  EXPECT_THAT(read_files(chain, limits)->modules.at("index.js").names, IsEmpty());
}

std::vector<std::string> entries(const Api& api) {
  std::vector<std::string> out;
  for (const Entry& entry : api.entries) {
    std::string line = entry.subpath;
    for (const std::string& condition : entry.conditions) line += " " + condition;
    out.push_back(line + " = " + entry.file);
  }
  return out;
}

TEST(Entries, OfConditionsAndPatterns) {
  const Files files = {{"a.js", ""},   {"a.mjs", ""},  {"a.d.ts", ""},
                       {"f/x.js", ""}, {"f/y.js", ""}, {"f/in/z.js", ""}};
  EXPECT_THAT(entries(api_of(files, R"({"exports": {
      ".": {"import": {"types": "./a.d.ts", "default": "./a.mjs"}, "require": ["./none.js", "./a.js"]},
      "./f/*": "./f/*.js", "./f/in/*": null, "./up": "./../a.js", "./gone": "./gone.js"}})")),
              ElementsAre(". import types = a.d.ts", ". import default = a.mjs", ". require = a.js",
                          "./f/x = f/x.js", "./f/y = f/y.js", ". types = a.d.ts"));
  EXPECT_THAT(entries(api_of(files, R"({"exports": "./a.js"})")),
              ElementsAre(". = a.js", ". types = a.d.ts"));
  EXPECT_THAT(entries(api_of(files, R"({"exports": {"node": "./a.js", "default": null}})")),
              ElementsAre(". node = a.js", ". types = a.d.ts"));
}

TEST(Entries, OfFieldsAndPrograms) {
  const Files files = {
      {"lib/main.js", ""}, {"es/main.js", ""}, {"types/m.d.ts", ""}, {"cli.js", ""}};
  const auto found =
      entries(api_of(files, R"({"name": "m", "main": "./lib/main", "module": "es/main.js",
      "types": "./types/m", "bin": "./cli.js"})"));
  EXPECT_THAT(
      std::vector<std::string>(found.begin(), found.begin() + 3),
      ElementsAre(". main = lib/main.js", ". module = es/main.js", ". types = types/m.d.ts"));
  EXPECT_EQ(found.back(), "bin:m bin = cli.js");
  EXPECT_THAT(
      entries(
          api_of({{"index.js", ""}}, R"({"main": "gone.js", "bin": {"a": "index.js", "b": 1}})")),
      ElementsAre(". main = index.js", "./index.js path = index.js", "bin:a bin = index.js"));
}

TEST(Surface, IsWhatAnImportCanGet) {
  const Api sealed = api_of(
      {{"a.mjs", "export const a = 1;"}, {"b.cjs", "exports.b = 1;"}},
      R"({"exports": {".": {"import": "./a.mjs", "require": "./b.cjs"}, "./a": "./a.mjs"}})");
  EXPECT_THAT(sealed.surface("")->names, UnorderedElementsAre("a", "b", "default"));
  EXPECT_TRUE(sealed.surface("")->complete);
  EXPECT_THAT(sealed.surface("a")->names, UnorderedElementsAre("a"));
  EXPECT_FALSE(sealed.surface("b.cjs"));
  EXPECT_FALSE(sealed.surface("package.json"));
  const Api open = api_of({{"index.js", "exports.a = 1;"}, {"lib/x.js", ""}, {"y/index.js", ""}});
  EXPECT_TRUE(open.surface("")->complete);
  for (const char* path : {"lib/x", "lib/x.js", "y"}) {
    ASSERT_TRUE(open.surface(path)) << path;
    EXPECT_FALSE(open.surface(path)->complete) << path;
  }
  EXPECT_FALSE(open.surface("lib/z"));
}

TEST(Style, IsThatOfTheFile) {
  const Files files = {
      {"a.js", ""}, {"b.cjs", ""}, {"c.mjs", ""}, {"in/package.json", "{}"}, {"in/d.js", ""}};
  const Api api = api_of(files, R"({"type": "module", "exports": {".": "./a.js", "./b": "./b.cjs",
      "./c": "./c.mjs", "./d": "./in/d.js"}})");
  EXPECT_EQ(api.modules.at("a.js").style, Style::esm);
  EXPECT_EQ(api.modules.at("b.cjs").style, Style::commonjs);
  EXPECT_EQ(api.modules.at("c.mjs").style, Style::esm);
  EXPECT_EQ(api.modules.at("in/d.js").style, Style::commonjs);
}

TEST(Package, IsReadFromATarball) {
  const Files files = {{"package.json", R"({"name":"m","version":"1.2.3"})"},
                       {"index.js", "exports.a = (x) => x;"},
                       {"README.md", "exports.b = 1;"}};
  const auto api = read_package(tarball(files));
  ASSERT_TRUE(api) << name(api.error());
  EXPECT_EQ(api->name + " " + api->version, "m 1.2.3");
  EXPECT_EQ(described(api->modules.at("index.js")), "commonjs a:function/1");
  Limits limits;
  limits.files = 1;
  EXPECT_EQ(read_package(tarball(files), limits).error(), Error::too_large);
  limits.unpacked = 1024;
  EXPECT_EQ(read_package(tarball(files), limits).error(), Error::too_large);
}

TEST(Package, SurvivesDamage) {
  const std::string whole = tarball({{"package.json", "{}"}, {"index.js", "exports.a = 1;"}});
  for (std::size_t i = 0; i < whole.size(); i += 7) {
    EXPECT_FALSE(read_package(whole.substr(0, i))) << i;
    std::string other = whole;
    other[i] = static_cast<char>(other[i] ^ 0x40);
    static_cast<void>(read_package(other));
  }
}

TEST(Package, HasToBeOne) {
  EXPECT_EQ(read_package("").error(), Error::not_a_package);
  EXPECT_EQ(read_package("\x1F\x8B").error(), Error::not_a_package);
  EXPECT_EQ(read_files({}).error(), Error::bad_manifest);
  EXPECT_EQ(read_files({{"package.json", "[]"}}).error(), Error::bad_manifest);
  EXPECT_EQ(read_files({{"package.json", "{"}}).error(), Error::bad_manifest);
  EXPECT_EQ(name(Error::too_large), "too_large");
}

TEST(Beside, StaysInThePackage) {
  EXPECT_EQ(beside("lib/a.js", "./b.js"), "lib/b.js");
  EXPECT_EQ(beside("lib/a.js", "../b.js"), "b.js");
  EXPECT_EQ(beside("a.js", "../b.js"), std::nullopt);
  EXPECT_EQ(beside("a.js", "."), "");
}

}  // namespace
}  // namespace cg::exports
