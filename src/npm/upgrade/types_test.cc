// What is told of types, and of what a default export has become.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
using testing::Not;

constexpr const char* kDeclared = R"("main":"index.js","types":"index.d.ts"})";

std::string declared(const std::string& before, const std::string& after, const std::string& ours,
                     const std::string& code = "exports.a = 1", std::size_t cap = kMaxText) {
  return Two{package({{"index.js", code}, {"index.d.ts", before}},
                     std::string(R"({"name":"p","version":"1.0.0",)") + kDeclared),
             package({{"index.js", code}, {"index.d.ts", after}},
                     std::string(R"({"name":"p","version":"2.0.0",)") + kDeclared)}
      .text(ours, cap);
}

TEST(Types, WhatUsedMembersLeadToComesFirst) {
  std::string many =
      "export declare function a(options: Options): void;\n"
      "export interface Options { hooks: Hooks";
  for (int i = 0; i < 80; ++i) many += "; x" + std::to_string(i) + "?: X" + std::to_string(i);
  many +=
      " }\nexport interface Hooks { again: Again[] }\n"
      "export type Again = (error: Error, count: number) => void;\n";
  for (int i = 0; i < 80; ++i) {
    many += "export interface X" + std::to_string(i) + " { y: number }\n";
  }
  const std::string text =
      declared("export declare function a(o: any): void;", many,
               "import { a } from 'p'; a({ hooks: { again: [(e, n) => 1] } });");
  EXPECT_THAT(text, HasSubstr("type Again = (error: Error, count: number) => void"));
}

TEST(Types, ExamplesAndDefaultsOfWhatIsUsed) {
  const std::string text = declared(
      "export declare function a(o: Options): void;\n"
      "export type Options = { keep?: (item: any) => boolean; next?: () => void };",
      "export declare function a(o: Options): void;\n"
      "export type Options = {\n"
      "  /**\n  Whether to keep it.\n  @default ({item, all}) => true\n  */\n"
      "  keep?: (data: Data) => boolean;\n"
      "  /**\n  What comes next.\n  @example\n  ```\n  next: ({current}) => {\n  ```\n  */\n"
      "  next?: (data: Data) => void;\n"
      "};\nexport type Data = { item: any };",
      "import { a } from 'p'; a({ keep: (item) => true, next: () => {} });");
  EXPECT_THAT(text, HasSubstr("    keep: default: ({item, all}) => true\n"));
  EXPECT_THAT(text, HasSubstr("    next: as in: next: ({current}) => {\n"));
}

TEST(Types, ExampleOfAName) {
  EXPECT_EQ(example_in("/** b: 1\n * @example\n * bc: 2,\n * b: 3,\n */", "b"), "b: 3");
  EXPECT_EQ(example_in("/** b: 1 */", "b"), "");
}

TEST(Types, WhatIsLongIsNamed) {
  std::string members;
  for (int i = 0; i < 60; ++i) members += "option" + std::to_string(i) + "?: string | number; ";
  const std::string text = declared("export declare function a(o: any): void;",
                                    "export declare function a(o: Options): void;\n"
                                    "export interface Options { " +
                                        members + "}",
                                    "import { a } from 'p'; a({});", "exports.a = 1", 1500);
  EXPECT_THAT(text, HasSubstr("interface Options { also: option0, option1"));
}

TEST(Types, OfAClassThatIsANamespaceTooWhatItCanDo) {
  std::string text = "export declare namespace Cache {\n";
  for (int i = 0; i < 60; ++i) {
    text += "  interface Options" + std::to_string(i) + " { a: number; b: string; c: string }\n";
  }
  text +=
      "}\nexport declare class Cache { get(key: string): Cache.Options1; wipe(): void }\n"
      "export declare function make(): Cache;";
  EXPECT_THAT(declared("export declare function make(): any;", text,
                       "import { make } from 'p'; make().get('a');"),
              HasSubstr("wipe(): void"));
}

TEST(Types, OfWhatIsAMemberOfTheDefaultNow) {
  const Two both = {
      package({{"index.js", "exports.parse = (text) => 1;"}},
              R"({"name":"p","version":"1.0.0","main":"index.js"})"),
      package({{"index.js", "import * as all from './base.js';\nexport default all;"},
               {"base.js", "export function parse(text) {}"},
               {"index.d.ts", "import * as all from './base.js';\nexport default all;"},
               {"base.d.ts",
                "export type Parsed = Record<string, number>;\n"
                "export function parse(text: string): Parsed;"}},
              R"({"name":"p","version":"2.0.0","type":"module",
                                "exports":{"types":"./index.d.ts","default":"./index.js"}})")};
  EXPECT_THAT(both.text("import p from 'p'; p.parse('a');"),
              HasSubstr("- type Parsed = Record<string, number>\n"));
}

/// A class that was all of the package, and has a name now.
TEST(Types, MembersOfWhatTheDefaultBecame) {
  const std::string text =
      two({{"index.js", "class Cache { get(key) {}\n del(key) {} }\nmodule.exports = Cache;\n"}},
          {{"index.js",
            "class Cache { get(key, options) {}\n delete(key) {} }\nexports.Cache = Cache;\n"}})
          .text("const Cache = require('p'); const c = new Cache(); c.get(1); c.del(1);");
  EXPECT_THAT(text, HasSubstr("no function or class any more"));
  EXPECT_THAT(text, HasSubstr("- default.get: changed\n    was: get(key)\n"
                              "    now: get(key, options)\n"));
  EXPECT_THAT(text, HasSubstr("- default.del: REMOVED\n    was: del(key)\n"
                              "    there is: Cache.delete: delete(key)\n"));
}

TEST(Types, DefaultThatIsAllOfAnotherFile) {
  const Two both = {
      package({{"index.js", "exports.parse = (text) => 1; exports.format = (x) => 1;"}},
              R"({"name":"p","version":"1.0.0","main":"index.js"})"),
      package({{"index.js", "import * as all from './base.js';\nexport default all;\n"},
               {"base.js", "export function parse(text) {}\nexport const format = (x) => 1;\n"}},
              R"({"name":"p","version":"2.0.0","type":"module","exports":"./index.js"})")};
  const std::string text = both.text("import p from 'p'; p.parse('a');");
  EXPECT_THAT(text, Not(HasSubstr("parse: REMOVED")));
  EXPECT_THAT(text, HasSubstr("{ format, parse }"));
}

/// A bundle is much to read: what it takes is not missing for the declarations.
TEST(Types, BesideABundle) {
  // Each name is looked for among all.
  constexpr int kNames = 4500;
  std::string bundle = "var o={a:1";
  std::string names = "};exports.a=o.a;";
  for (int i = 0; i < kNames; ++i) {
    const std::string name = "k" + std::to_string(i);
    bundle.append(",").append(name).append(":1");
    names.append("exports.").append(name).append("=o.").append(name).append(";\n");
  }
  bundle += names;
  const std::string text =
      declared("export interface Out { error?: Error }\nexport declare function a(x: string): Out;",
               "export interface Out {}\nexport declare function a(x: string): Promise<Out>;",
               "import { a } from 'p'; const { error } = a('');", bundle);
  EXPECT_THAT(text, HasSubstr("was: function a(x: string): Out\n"));
  EXPECT_THAT(text, HasSubstr("now: function a(x: string): Promise<Out>\n"));
}

TEST(Kin, WhatIsShortForAnother) {
  EXPECT_THAT(Kin({{"delete", true}, {"clear", true}}).nearest("del", 1), ElementsAre("delete"));
}

}  // namespace
}  // namespace cg::upgrade
