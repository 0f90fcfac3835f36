#include "npm/upgrade/upgrade.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "npm/upgrade/pair_test.h"

namespace cg::upgrade {
namespace {

using test::package;
using test::Two;
using test::two;

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// What one file as the whole package becomes, for a source that takes all of it.
std::string text_of(const std::string& before, const std::string& after,
                    const std::string& ours = "const p = require('p'); p.a(); p.b();") {
  return two({{"index.js", before}}, {{"index.js", after}}).text(ours);
}

std::string typed(const std::string& before, const std::string& after,
                  const std::string& ours = "import { a } from 'p'; a({ x: 1 });") {
  const std::string manifest = R"("main":"index.js","types":"index.d.ts"})";
  return Two{package({{"index.js", "exports.a = 1"}, {"index.d.ts", before}},
                     R"({"name":"p","version":"1.0.0",)" + manifest),
             package({{"index.js", "exports.a = 1"}, {"index.d.ts", after}},
                     R"({"name":"p","version":"2.0.0",)" + manifest)}
      .text(ours);
}

TEST(Upgrade, NameThatIsGoneHasItsKin) {
  const std::string text =
      text_of("exports.safeLoad = function safeLoad(input, options) { return 1 }; exports.dump = 1",
              "exports.load = function (input, { schema, json = false } = {}) { return 1 }; "
              "exports.dump = 1",
              "const p = require('p'); p.safeLoad(t);");
  EXPECT_THAT(text, HasSubstr("p 1.0.0 -> 2.0.0\n"));
  EXPECT_THAT(text,
              HasSubstr("- safeLoad: REMOVED\n"
                        "    was: function safeLoad(input, options)\n"
                        "    there is: function load(input, { schema, json = false } = {})\n"));
  EXPECT_THAT(text, HasSubstr("Added:\n- function load("));
  EXPECT_THAT(text, Not(HasSubstr("dump:")));  // the same, and not used
}

TEST(Upgrade, StubThatThrowsIsGone) {
  const std::string text = text_of(
      "exports.a = function (x) {}; exports.b = (x) => 1; exports.d = (x) => 1",
      "function gone(from, to) { return function () { throw new Error(from + ' is now ' + to) } }\n"
      "exports.a = gone('a', 'c'); exports.b = function () { throw Error('no b') }; "
      "exports.c = x => 1; exports.d = (x) => { if (!x) throw Error('x') }");
  EXPECT_THAT(text, HasSubstr("- a: REMOVED\n    was: function a(x)\n    all that it does now: "
                              "gone('a', 'c'), where function gone(from, to): throw new Error(from "
                              "+ ' is now ' + to)"));
  EXPECT_THAT(text, HasSubstr("- b: REMOVED\n"));
  EXPECT_THAT(text, Not(HasSubstr("d(x)")));
}

TEST(Upgrade, FunctionThatBecameAnObject) {
  const std::string text =
      text_of("module.exports = function p(size) {}", "exports.p = (size) => 1; exports.q = 1",
              "const p = require('p'); p(1);");
  EXPECT_THAT(text, HasSubstr("- default: changed\n    was: function p(size)\n    now: { p, q }\n"
                              "    no function or class any more but an object of named exports\n"
                              "    there is: function p(size)\n"));
}

TEST(Upgrade, FormsOfCommonJs) {
  const std::string old = "exports.a = 1";
  const auto shows = [&](const std::string& now, const std::string& head) {
    EXPECT_THAT(text_of(old, now), HasSubstr(head)) << now;
  };
  shows("module.exports = { b(x, y) { } }", "    now: b(x, y)\n");
  shows("module.exports = { b }; async function b(...x) { }", "async function b(...x)");
  shows("const api = module.exports = {}; api.b = (x, [y]) => y", "function b(x, [y])");
  shows("var api = { b: x => x }; module.exports = api", "b(x)");
  shows("module.exports = f; function f() {} f.b = function* (x) { }", "function* b(x)");
  shows("Object.defineProperty(exports, 'b', { get: function () { return c } }); function c(z) {}",
        "function b(z)");
  shows("exports.b = void 0; class C { constructor(q) { this.q = q } } exports.b = C",
        "class b { constructor(q) }");
  shows(
      "(function (g, f) { typeof exports === 'object' ? module.exports = f() : g.p = f() })(this,"
      " function () { function p() {} p.b = function (w) {}; return p })",
      "b(w)");
  shows("exports.b = make(1); function make(n) { return function (k, v) { return n } }",
        "function b(k, v)");
  shows("exports.b = Object.assign(c, { d: 1 }); function c(one) {}", "function b(one)");
  shows("exports.b = require('other').b", "b, which is of the package other");
  shows("var x = require('other'); module.exports = { b: x }", "b, which is of the package other");
}

TEST(Upgrade, MembersOfWhatIsExported) {
  const std::string old = "function A() {} A.prototype.run = function (cb) {}; exports.A = A";
  const std::string ours = "const { A } = require('p'); new A().run(1);";
  const auto shows = [&](const std::string& now, const std::string& text) {
    EXPECT_THAT(text_of(old, now, ours), HasSubstr(text)) << now;
  };
  const std::string changed = "- A.run: changed\n    was: run(cb)\n    now: run(options)\n";
  shows("exports.A = class A { run(options) {} }", changed);
  shows("exports.A = A; function A() {} A.prototype = { run: function (options) {} }", changed);
  shows("exports.A = A; function A() {} Object.assign(A.prototype, { run(options) {} })", changed);
  shows("exports.A = A; function A() {} var q = A.prototype; q.run = (options) => 1", changed);
  shows(
      "var A = function () { function A() {} _createClass(A, [{ key: 'run', value: function run"
      "(options) {} }]); return A }(); exports.A = A",
      changed);
  shows("class B { run(options) {} } exports.A = class A extends B {}; exports.B = B", changed);
  shows("exports.A = class A { runAll(list) {} }",
        "- A.run: REMOVED\n    was: run(cb)\n    there is: A.runAll: runAll(list)\n");
  EXPECT_THAT(text_of(old, "exports.A = class A { run(cb) {} _own() {} #no() {} }", ours),
              AllOf(HasSubstr("- A.run: declared as before"), Not(HasSubstr("_own")),
                    Not(HasSubstr("#no"))));
}

TEST(Upgrade, FollowsFilesOfThePackage) {
  const exports::Files now = {
      {"index.js", "module.exports = require('./lib')"},
      {"lib/index.js",
       "var __importDefault = x => x; Object.defineProperty(exports, '__esModule', {});\n"
       "const c_1 = __importDefault(require('./c')); exports.a = c_1.default;\n"
       "__exportStar(require('./d'), exports); const { e } = require('./e'); exports.f = e"},
      {"lib/c.js",
       "Object.defineProperty(exports, '__esModule', {}); exports.default = c;"
       "function c(deep) {}"},
      {"lib/d.js", "exports.b = require('./e').e"},
      {"lib/e.js", "exports.e = (far) => 1"}};
  EXPECT_THAT(
      two({{"index.js", "exports.a = 1"}}, now).text("const p = require('p'); p.a(); p.b(); p.f()"),
      AllOf(HasSubstr("function a(deep)"), HasSubstr("function b(far)"),
            HasSubstr("function f(far)")));
  const exports::Files modern = {
      {"index.js",
       "export * from './a.js'; export { x as b } from './a.js'; import f from './f.js';"
       "export default f; export * as all from './a.js'"},
      {"a.js", "export function a(one) {} export const x = (two) => 1"},
      {"f.js", "export default function f(three) {}"}};
  EXPECT_THAT(two({{"index.js", "exports.a = 1"}}, modern).text("import p, { a, b, all } from 'p'"),
              AllOf(HasSubstr("function a(one)"), HasSubstr("function b(two)"),
                    HasSubstr("function f(three)"), HasSubstr("all = {...}")));
}

TEST(Upgrade, OnlyModules) {
  const Two both = {
      package({{"index.js", "module.exports = 1"}}, R"({"name":"p","version":"1.0.0"})"),
      package({{"m.js", "export default 1"}}, R"({"name":"p","version":"2.0.0","type":"module",
              "exports":"./m.js","engines":{"node":">=16"}})")};
  const std::string text = both.text("const p = require('p');");
  EXPECT_THAT(text, HasSubstr("- ES modules only: require('p') fails below node 22.12; use import, "
                              "or await import()\n"));
  EXPECT_THAT(text, HasSubstr("- type: (none) -> module\n"));
  EXPECT_THAT(text, HasSubstr("- exports: (none) -> ./m.js\n"));
  EXPECT_THAT(text, HasSubstr("- engines: node (none) -> >=16\n"));
  EXPECT_THAT(both.text("import p from 'p';"), Not(HasSubstr("ES modules only")));
}

TEST(Upgrade, DeepImports) {
  const exports::Files old = {{"index.js", "exports.v4 = 1"},
                              {"v4.js", "module.exports = function v4(buffer) {}"}};
  const Two sealed = {package(old, R"({"name":"p","version":"1.0.0"})"),
                      package({{"index.js", "exports.v4 = (options) => 1"}, {"v4.js", ""}},
                              R"({"name":"p","version":"2.0.0",
                              "exports":{".":"./index.js","./package.json":"./package.json"}})")};
  const std::string text = sealed.text("const v4 = require('p/v4');");
  EXPECT_THAT(
      text,
      HasSubstr("- require('p/v4'): which was v4.js: no longer exported; exported paths are: ., "
                "./package.json\n"));
  EXPECT_THAT(text, HasSubstr("- (in v4) default: REMOVED\n    was: function v4(buffer)\n"
                              "    there is: function v4(options)\n"));
  const Two moved = two(old, {{"index.js", "exports.v4 = 1"}, {"dist/v4.js", "exports.x = 1"}});
  const Two other = {package({{"index.js", ""}, {"old.js", "module.exports = 1"}},
                             R"({"name":"p","version":"1.0.0"})"),
                     package({{"index.js", "exports.fresh = 1; exports.make = 2"}},
                             R"({"name":"p","version":"2.0.0","exports":"./index.js"})")};
  EXPECT_THAT(other.text("require('p/old')"),
              HasSubstr("the package itself exports: fresh, make\n"));
  EXPECT_THAT(moved.text("const v4 = require('p/v4');"),
              HasSubstr("there is no such file any more\n"
                        "- of v4: files of that name are: dist/v4.js\n"));
  const Two stays = two(
      old, {{"index.js", "exports.v4 = 1"}, {"v4.js", "module.exports = function v4(a, b) {}"}});
  EXPECT_THAT(stays.text("const v4 = require('p/v4');"),
              AllOf(HasSubstr("require('p/v4'): still there, as v4.js"),
                    HasSubstr("- (in v4) default: changed\n    was: function v4(buffer)\n"
                              "    now: function v4(a, b)\n")));
}

TEST(Upgrade, Declarations) {
  const std::string text = typed(
      "/** Does it. @param o what */\n"
      "export declare function a(o: Options): string;\n"
      "export declare function a(o: Options, cb: () => void): void;\n"
      "interface Options { x: number; old?: boolean; same: string }",
      "export declare function a(\n  o: Options, // how\n): Promise<string>;\n"
      "interface Options extends Base { x: string; same: string; fresh?: Inner }\n"
      "interface Base { base: 1 } type Inner = 'p' | 'q'; interface Never { n: 1 }");
  EXPECT_THAT(text, HasSubstr("- a: changed\n    was: function a(o: Options): string\n"
                              "    was: function a(o: Options, cb: () => void): void\n"
                              "    now: function a(o: Options): Promise<string>\n"));
  EXPECT_THAT(text, HasSubstr("- interface Options extends Base { x: string; fresh?: Inner; same: "
                              "string }\n    removed of it: old?: boolean\n"
                              "    was of it: x: number\n"));
  EXPECT_THAT(text, HasSubstr("- interface Base { base: 1 }\n"));
  EXPECT_THAT(text, HasSubstr("- type Inner = 'p' | 'q'\n"));
  EXPECT_THAT(text, Not(HasSubstr("Never")));
}

TEST(Upgrade, DeclarationsThatSayTheSame) {
  const std::string text = typed("export declare function a(x?: 'y' | undefined, ): void",
                                 "export function a(\n  x?: \"y\",\n): void;");
  EXPECT_THAT(text, HasSubstr("- a: declared as before\n"));
}

TEST(Upgrade, DeclarationsOfCommonJs) {
  const std::string text = typed(
      "export = p; declare function p(x: p.Options): void;\n"
      "declare namespace p { function a(y: 1): void; function gone(): void; interface Options { "
      "z: 1 } }",
      "export = p; declare const p: P; interface P { (x: string): void; a(y: 2): void }",
      "const p = require('p'); p(1); p.a(1); p.gone()");
  EXPECT_THAT(text, HasSubstr("- default: changed\n"));
  EXPECT_THAT(text, HasSubstr("const p: P\n"));
  EXPECT_THAT(text, HasSubstr("- gone: REMOVED\n    was: function gone(): void\n"));
  EXPECT_THAT(text, HasSubstr("interface P { a(y: 2): void; (x: string): void }"));
}

TEST(Upgrade, MembersThroughTypes) {
  const std::string text = typed(
      "export class a { db(): Db } export class Db { insert(x: 1): void; find(): void; keep(): 1 "
      "}\n"
      "export class Other { insert(): void }",
      "export class a { db(): Db } export class Db extends Base { insertOne(x: 1): void }\n"
      "declare class Base { find(): void } export class Other { }",
      "import { a } from 'p'; new a().db().insert(1).find();");
  EXPECT_THAT(text, HasSubstr("- Db.insert: REMOVED\n    was: insert(x: 1): void\n"
                              "    there is: Db.insertOne: insertOne(x: 1): void\n"));
  EXPECT_THAT(text, Not(HasSubstr("Db.find: REMOVED")));  // inherited now
  EXPECT_THAT(text, HasSubstr("- of Db: keep\n"));
  EXPECT_THAT(text, HasSubstr("- Other.insert"));
  EXPECT_LT(text.find("- Db.insert"), text.find("- Other.insert"));
}

TEST(Upgrade, TypesThatOthersWrote) {
  Two both = two({{"index.js", "exports.a = (x) => 1"}}, {{"index.js", "exports.a = (x) => 1"}});
  both.types_before = package({{"index.d.ts", "export function a(x: number): void"}},
                              R"({"name":"@types/p","types":"index.d.ts"})");
  both.types_after = package({{"index.d.ts", "export function a(x: string): void"}},
                             R"({"name":"@types/p","types":"index.d.ts"})");
  const std::string ours = "import { a } from 'p'; a(1)";
  EXPECT_THAT(both.text(ours), HasSubstr("- a: changed\n    was: function a(x: number): void\n"
                                         "    now: function a(x: string): void\n"));
  both.types_after.reset();
  EXPECT_THAT(both.text(ours), AllOf(HasSubstr("- a: declared as before\n"),
                                     HasSubstr("no declarations are known of the new version")));
}

TEST(Upgrade, OptionsThatAreRead) {
  const std::string old =
      "exports.a = function (x, options) { return options.one + options['two'] }";
  const std::string now =
      "exports.a = function (x, options = {}) { const { one, three: t } = options; return "
      "b(options) }\n"
      "function b(opts) { opts = opts || {}; return opts.four + new C(opts) }\n"
      "class C { constructor(options) { this.options = Object.assign({}, options) }\n"
      "  run() { return this.options.five + this.other.six } }";
  const std::string text = text_of(old, now);
  EXPECT_THAT(text, HasSubstr("options read: one, three, four, five\n"));
  EXPECT_THAT(text, HasSubstr("options no longer read: two\n"));
  EXPECT_THAT(text, HasSubstr("options read newly: three, four, five\n"));
}

TEST(Upgrade, WhatIsFoundInNeither) {
  const std::string text = text_of("exports.a = 1", "exports.a = 1", "require('p').nowhere()");
  EXPECT_THAT(text, HasSubstr("- used, but found in neither version: nowhere\n"));
}

TEST(Upgrade, FieldsThatAreUsed) {
  const std::string ours = "const { A } = require('p'); new A().size = 1;";
  const std::string text =
      text_of("exports.A = class A { constructor() { this.size = 1; this.own = 2 } }",
              "exports.A = class A { constructor() { this.maxSize = 1; this.other = 2 } }", ours);
  EXPECT_THAT(text, HasSubstr("- A.size: REMOVED\n    was: size = 1\n"
                              "    there is: A.maxSize: maxSize = 1\n"));
  EXPECT_THAT(text, Not(HasSubstr("own")));
  EXPECT_THAT(text, Not(HasSubstr("other")));
}

TEST(Upgrade, OtherPackagesAreNotRead) {
  const std::string text = text_of(
      "exports.a = a; function a() {} a.prototype.use = function (f) {}",
      "const other = require('other'); exports.a = other", "const { a } = require('p'); a().use()");
  EXPECT_THAT(text, HasSubstr("- a: changed\n    was: function a()\n"
                              "    now: a, which is of the package other\n"));
  EXPECT_THAT(text, Not(HasSubstr("a.use: REMOVED")));
  EXPECT_THAT(typed("export const a: typeof b; declare function b(x: 1): void;",
                    "export const a: typeof import('./index').b; export function b(x: 2): void;"),
              HasSubstr("    was: function a(x: 1): void\n    now: function a(x: 2): void\n"));
  EXPECT_THAT(
      typed("export const a: number",
            "declare function b(x: 3): void;\n"
            "export const a: typeof b & { c: 1 };"),
      HasSubstr("    now: const a: typeof b & { c: 1 }\n    now: function a(x: 3): void\n"));
}

TEST(Upgrade, NamesBelongToTheirPaths) {
  const exports::Files old = {{"index.js", "exports.map = (a) => 1"},
                              {"operators.js", "exports.map = (b) => 1"}};
  const exports::Files now = {{"index.js", "exports.map = (c) => 1"},
                              {"operators.js", "exports.map = (d) => 1"}};
  const std::string text = two(old, now).text("const { map } = require('p/operators');");
  EXPECT_THAT(text, HasSubstr("- (in operators) map: changed\n    was: function map(b)\n"));
  EXPECT_THAT(text, HasSubstr("Changed:\n- function map(c)\n"));
}

TEST(Upgrade, WhatCodeAndCommentsSay) {
  const std::string text = text_of(
      "var deprecate = require('depd')('p');\n"
      "exports.a = function (x) { if (x === 1) deprecate('a(1): use a({ n: 1 }) instead') }\n"
      "/** Old.\n * @deprecated use c */\nexports.b = function () {}",
      "exports.a = function (x) { if (x === 1) throw new TypeError('a wants an object') }\n"
      "const removed = { format: 'formats: false can be used instead.' }; exports.c = 1;\n"
      "/** @deprecated\n * write d() */ exports.d = 1");
  EXPECT_THAT(text, HasSubstr("- a: changed\n"));
  EXPECT_THAT(text, HasSubstr("the old version warned: a(1): use a({ n: 1 }) instead\n"));
  EXPECT_THAT(text, HasSubstr("the old version said: deprecated, use c\n"));
  EXPECT_THAT(text, HasSubstr("Texts in the new code:\n"));
  EXPECT_THAT(text, HasSubstr("- format: formats: false can be used instead.\n"));
}

/// "use b or c instead" is told where there is b.
TEST(Upgrade, WhatTheOldVersionSaidToUse) {
  const std::string text =
      test::two(
          {{"index.js", "/** @deprecated use makeTwo or makeNone */\nexports.old = () => 1;\n"}},
          {{"index.js", "exports.makeTwo = (x) => 2;\nexports.alder = () => 3;\n"}})
          .text("const p = require('p'); p.old();");
  EXPECT_THAT(text, HasSubstr("the old version said: deprecated, use makeTwo or makeNone\n"
                              "    there is: function makeTwo(x)\n"));
}

/// One file for who imports it, another for who requires it.
TEST(Upgrade, DefaultThatOnlyRequireStillHas) {
  const exports::Files before = {{"index.js", "module.exports = (x) => x;\n"}};
  const exports::Files after = {{"index.js", "module.exports = { make: (x) => x };\n"},
                                {"index.mjs", "export const make = (x) => x;\n"}};
  const test::Two both{
      test::package(before, R"({"name":"p","version":"1.0.0","main":"index.js"})"),
      test::package(after, R"({"name":"p","version":"2.0.0",)"
                           R"("exports":{"import":"./index.mjs","require":"./index.js"}})")};
  Used used = test::used_by("const p = require('p'); p(1);");
  used.add(test::used_by("import p from 'p'; p(1);"));
  EXPECT_THAT(describe(both.compared(used)),
              AllOf(HasSubstr("- default: REMOVED\n"),
                    HasSubstr("where it is imported; require() is another file")));
}

TEST(Upgrade, DeprecatedNow) {
  const std::string text = typed("export function a(): void; export function b(): void",
                                 "/** It does.\n * @deprecated use b\n * @since 2 */\n"
                                 "export function a(): void;\n/** @deprecated */\n"
                                 "export function b(): void;");
  EXPECT_THAT(text, HasSubstr("- a: deprecated\n    function a(): void\n"
                              "    deprecated now: use b\n    its comment: It does.\n"));
  EXPECT_THAT(text, HasSubstr("Deprecated now:\n- function b(): void\n    deprecated now: yes\n"));
}

TEST(Upgrade, UsesOfASource) {
  const Used used = test::used_by(
      "import p, { a as b } from 'p'; const v = require('p/v4'); v.x(); const w = require('p').w;\n"
      "b({ one: 1, two }).three(); this['four'] = 5;");
  using testing::ElementsAre;
  using testing::Pair;
  EXPECT_THAT(used.paths,
              ElementsAre(Pair(Used::Path{"", exports::Way::require}, ElementsAre("w")),
                          Pair(Used::Path{"", exports::Way::import}, ElementsAre("a", "default")),
                          Pair(Used::Path{"v4", exports::Way::require}, ElementsAre("x"))));
  EXPECT_THAT(used.names(""), ElementsAre("a", "default", "w"));
  EXPECT_THAT(used.members, ElementsAre("one", "three", "two", "w", "x"));
  EXPECT_TRUE(test::used_by("import a from 'q'; a.b()").members.empty());
  Used both = used;
  both.add(test::used_by("import { c } from 'p'"));
  EXPECT_EQ(both.names("").size(), 4U);
}

TEST(Upgrade, BadPackages) {
  const exports::Unpacked good = package({}, R"({"name":"p"})");
  const exports::Unpacked bad = package({}, "nonsense");
  const exports::Unpacked none;
  for (const exports::Unpacked* each : {&bad, &none}) {
    EXPECT_EQ(compare({each, nullptr}, {&good, nullptr}, {}).error(), exports::Error::bad_manifest);
    EXPECT_EQ(compare({&good, nullptr}, {each, nullptr}, {}).error(), exports::Error::bad_manifest);
  }
  EXPECT_THAT(describe(compare({&good, nullptr}, {&good, nullptr}, {}).value()), HasSubstr("p "));
}

}  // namespace
}  // namespace cg::upgrade
