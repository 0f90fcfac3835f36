// Whatever is in a package, the text is bounded, well-formed, and there in bounded time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base/text.h"
#include "npm/upgrade/head.h"
#include "npm/upgrade/kin.h"
#include "npm/upgrade/pair_test.h"

namespace cg::upgrade {
namespace {

using test::package;
using test::Two;
using test::two;

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

void expect_well(const std::string& text, std::size_t cap = kMaxText) {
  EXPECT_LE(text.size(), cap);
  EXPECT_TRUE(is_utf8(text));
  for (const char c : text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
}

std::string many(std::size_t count, const std::string& stem) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = stem + std::to_string(i);
    out += "exports." + name + " = function (first, second, options) { return options.a" +
           std::to_string(i) + " };\n";
  }
  return out;
}

TEST(UpgradeLimits, TenThousandNames) {
  const Two both = two({{"index.js", many(10'000, "oldName")}},
                       {{"index.js", many(10'000, "newName") + "exports.used = (x) => 1"}});
  const std::string text = both.text("const p = require('p'); p.oldName77(); p.used()");
  expect_well(text);
  EXPECT_THAT(text, HasSubstr("- oldName77: REMOVED\n    was: function oldName77(first, second, "
                              "options)\n    there is: function newName77("));
  EXPECT_THAT(text, HasSubstr("Removed:\n"));
  EXPECT_THAT(text, HasSubstr("Added:\n"));
  EXPECT_THAT(text, HasSubstr("- not used here: newName0, newName1, "));
}

/// Each of these takes minutes if something is looked for anew for every name.
TEST(UpgradeLimits, ManyOfEachKind) {
  const auto repeated = [](const std::string& before, const std::string& after) {
    std::string out;
    for (int i = 0; i < 8000; ++i) out += before + std::to_string(i) + after;
    return out;
  };
  const std::string body = "function big(options) { " + repeated("options.o", ";\n") + "}\n";
  const std::string ours = "const p = require('p'); p.n1(); p.n2.m3(); p.gone()";
  const std::string old = "exports.gone = 1";
  for (const std::string& now :
       {body + repeated("exports.n", " = big;\n"),
        "const api = module.exports = {};\n" + repeated("api.n", " = (x) => 1;\n"),
        "const api = {};\n" + repeated("api.n", " = 1;\n") + "exports.x = api.n1;\n" +
            repeated("exports.n", " = api.n7999;\n"),
        repeated("exports.n", " = require('./b');\n"),
        "module.exports = { " + repeated("n", ": (x) => 1,\n") + " }",
        "function F() {}\n" + repeated("F.n", " = (x) => 1;\n") + "module.exports = F",
        "class F {\n" + repeated("n", "(x) { this.m = 1 }\n") + "}\nmodule.exports = F",
        "exports.n1 = 'use b instead'" + repeated(" +\n'is deprecated", "'").substr(0, 40'000)}) {
    const Two both =
        two({{"index.js", old}}, {{"index.js", now}, {"b.js", repeated("exports.m", " = 1;\n")}});
    expect_well(both.text(ours));
  }
  const std::string types = "export = p; declare namespace p {\n" +
                            repeated("function n", "(x: T0): void;\n") +
                            repeated("interface T", " { x: T1 }\n") + "}";
  const exports::Files typed = {{"index.js", old}, {"index.d.ts", types}};
  expect_well(two({{"index.js", old}}, typed).text(ours));
  expect_well(two(typed, {{"index.js", old}, {"index.d.ts", "export {}"}}).text(ours));
}

TEST(UpgradeLimits, SmallCaps) {
  const Two both = two({{"index.js", many(50, "a")}}, {{"index.js", many(50, "b")}});
  const Difference difference = both.compared(test::used_by("const p = require('p'); p.a1()"));
  for (std::size_t cap = 0; cap < 4000; cap += 37) expect_well(describe(difference, cap), cap);
  EXPECT_EQ(describe(difference), describe(both.compared(test::used_by("const p = require('p'); "
                                                                       "p.a1()"))));
}

TEST(UpgradeLimits, Minified) {
  std::string code = "exports.a=function(b,c){return b+c};";
  for (int i = 0; i < 400; ++i) code += "var q" + std::to_string(i) + "=function(r){return r};";
  const std::string text =
      two({{"index.js", "exports.a = (x) => 1; exports.b = 1"}}, {{"index.js", code}})
          .text("const p = require('p'); p.a(); p.b()");
  EXPECT_THAT(text, HasSubstr("p is minified (index.js): of its code there are names alone\n"));
  EXPECT_THAT(text, HasSubstr("- b: REMOVED"));
  EXPECT_THAT(text, Not(HasSubstr("q399")));
}

TEST(UpgradeLimits, NamesThatNobodyCanSee) {
  const std::string text =
      two({{"index.js", "exports.a = 1"}}, {{"index.js", "module.exports = load(process.env.P)"}})
          .text("const p = require('p'); p.a()");
  EXPECT_THAT(text, HasSubstr("p: not all names that it exports can be read\n"));
  // What a wrapped file puts onto one object is taken for what it exports.
  std::string wrapped = "(function () { var _ = {};";
  for (const char c : std::string_view("abcdefghij")) {
    wrapped += std::string("_.") + c + " = function (x) { };\n";
  }
  wrapped += "root['_'] = _; freeModule.exports = _ }).call(this)";
  EXPECT_THAT(
      two({{"index.js", wrapped}}, {{"index.js", wrapped}}).text("const p = require('p'); p.a()"),
      HasSubstr("- a: declared as before\n    function a(x)\n"));
}

TEST(UpgradeLimits, PatternsInExports) {
  const Two both = {
      package({{"index.js", ""}, {"lib/a.js", "exports.x = 1"}},
              R"({"name":"p","version":"1.0.0"})"),
      package({{"src/a.js", "exports.x = (y) => 1"}}, R"({"name":"p","version":"2.0.0",
              "exports":{"./lib/*":"./src/*.js","./lib/no/*":null}})")};
  const std::string text = both.text("const a = require('p/lib/a'); a.x(); require('p')");
  EXPECT_THAT(text, HasSubstr("require('p/lib/a'): still there, as src/a.js\n"));
  EXPECT_THAT(text, HasSubstr("require('p'): no longer exported; exported paths are: ./lib/*\n"));
  EXPECT_THAT(text, HasSubstr("function x(y)"));
}

TEST(UpgradeLimits, CirclesEnd) {
  const exports::Files round = {
      {"index.js",
       "export * from './b.js'; export { a } from './b.js'; export { a as c } from './b.js'"},
      {"b.js",
       "export * from './index.js'; export { a } from './index.js'; import d from './b.js'; "
       "export default d"}};
  expect_well(two(round, round).text("import { a } from 'p'"));
  const exports::Files own = {{"index.js",
                               "var a = b, b = c, c = a; exports.a = a; exports.b = b.c; "
                               "module.exports.d = d(); function d() { return d() }"}};
  expect_well(two(own, own).text("const p = require('p'); p.a(); p.b(); p.d()"));
  const exports::Files types = {
      {"index.js", ""},
      {"index.d.ts",
       "export interface A extends B { x: A } export interface B extends A { y: B }\n"
       "export class C extends C { } export type D = D & { d: D }; export = C"}};
  expect_well(two(types, types).text("import { A, B, C, D } from 'p'"));
}

TEST(UpgradeLimits, DeepAndLongTexts) {
  std::string deep;
  for (int i = 0; i < 3000; ++i) deep += "exports.a = (function (options) { return ";
  std::string wide = "exports.a = function (";
  for (int i = 0; i < 5000; ++i) wide += "p" + std::to_string(i) + ",\n";
  wide += "options) {}; exports.b = '" + std::string(100'000, 'x') + "'";
  const std::string text =
      two({{"index.js", deep}}, {{"index.js", wide}}).text("const p = require('p'); p.a(); p.b()");
  expect_well(text);
  EXPECT_THAT(text, HasSubstr("..."));
}

TEST(UpgradeLimits, NamesOfFilesThatAreNoText) {
  exports::Files odd = {{"a\nb\xff.js", "exports.x = 1"}};
  const Two both = two({{"index.js", "exports.x = 1"}}, odd);
  Used used;
  used.paths[{"a\nb\xff.js", exports::Way::require}].insert("\xc3");
  expect_well(describe(both.compared(used)));
}

/// Any part of sources that use every form.
TEST(UpgradeLimits, Damage) {
  const std::string code =
      "var e = module.exports = {}; /** Does.\n * @param {S} [options.q] it\n * @deprecated no */\n"
      "e.f = function (a, { b = 1 } = {}, ...c) { const { d } = options; throw new Error('gone') "
      "};\n"
      "class A extends B { static get x() {} constructor(options) { this.options = options } }\n"
      "A.prototype.y = f; Object.assign(A.prototype, { z() {} }); exports.A = A; export * from "
      "'./b'";
  const std::string types =
      "export = p; declare namespace p { interface O<T> extends import('./x').Y { (a: T): void; "
      "new "
      "(): O; [k: string]: any; readonly m?: 'x' } } declare class p extends Q<R> { private h; "
      "constructor(a: S, b?: T[]) } type U = { a: 1 } & p.O; enum E { A = 1, B }";
  const std::string ours = "const p = require('p'); p.f({ q: 1 }); new p.A().y()";
  for (std::size_t at = 0; at < code.size(); at += 7) {
    const exports::Files old = {{"index.js", code.substr(0, at)},
                                {"index.d.ts", types.substr(at / 2)}};
    const exports::Files now = {{"index.js", code.substr(at)}, {"index.d.ts", types.substr(0, at)}};
    expect_well(two(old, now).text(ours));
  }
}

TEST(UpgradeLimits, LimitsOfTheReader) {
  exports::Limits small;
  small.modules = 1;
  const exports::Files files = {{"index.js", "exports.a = require('./b').b; exports.c = 1"},
                                {"b.js", "exports.b = (x) => 1"}};
  const Difference difference =
      two(files, files).compared(test::used_by("const p = require('p'); p.a()"), small);
  expect_well(describe(difference));
}

TEST(Kin, OfNames) {
  const auto nearest = [](const char* name, const std::vector<std::string>& candidates) {
    std::vector<Kin::Candidate> all;
    for (const std::string& each : candidates) all.push_back({each, false});
    return Kin(all).nearest(name, 2);
  };
  EXPECT_THAT(nearest("safeLoad", {"dump", "load", "loadAll", "safeDump"}),
              ElementsAre("load", "loadAll"));
  EXPECT_THAT(nearest("insert", {"insertOne", "find", "insertMany"}),
              ElementsAre("insertMany", "insertOne"));
  EXPECT_THAT(nearest("ObjectID", {"Object", "ObjectId"}), ElementsAre("ObjectId", "Object"));
  EXPECT_THAT(nearest("dataPath", {"instancePath", "keyword"}), ElementsAre("instancePath"));
  EXPECT_THAT(nearest("alpha", {"omega", "b"}), IsEmpty());
  EXPECT_THAT(words_of("HTTPServer_v2-safeLoad$x"),
              ElementsAre("http", "server", "v2", "safe", "load", "x"));
}

TEST(Head, SaysTheSame) {
  EXPECT_TRUE(says_same("f(a: 'x')", "f(a: \"x\")"));
  EXPECT_TRUE(says_same("f(a?: A | undefined)", "f(a?: A)"));
  EXPECT_TRUE(says_same("f(_a)", "f(a)"));
  EXPECT_FALSE(says_same("f(a)", "f(b)"));
  EXPECT_FALSE(says_same("f(a?: A)", "f(a: A)"));
}

TEST(Head, OfComments) {
  const Doc doc = read_doc(
      "/**\n * Reads it. And more.\n *\n * Other text.\n * @param {Object} [options] how\n"
      " * @param {Boolean} [options.strict=false] so\n * @deprecated since 2, use\n *   other()\n "
      "*/");
  EXPECT_EQ(doc.summary, "Reads it");
  EXPECT_THAT(doc.parameters, ElementsAre("{Object} [options] how"));
  EXPECT_THAT(doc.options, ElementsAre("strict"));
  EXPECT_EQ(doc.deprecated, "since 2, use other()");
  EXPECT_EQ(read_doc("// no").summary, "");
}

}  // namespace
}  // namespace cg::upgrade
