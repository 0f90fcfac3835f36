#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/callsite/callsite.h"
#include "model/callsite/taken.h"

namespace cg::callsite {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Uses found_in(std::string_view text, Language language = Language::javascript) {
  auto found = find_uses(text, language, "marked");
  EXPECT_TRUE(found) << text;
  return found ? *std::move(found) : Uses{};
}

std::vector<std::string> texts_of(const std::vector<Piece>& pieces) {
  std::vector<std::string> out;
  for (const Piece& piece : pieces) out.push_back(piece.text);
  return out;
}

std::vector<std::string> taken_in(std::string_view text, Language language = Language::javascript) {
  std::vector<std::string> out;
  for (const Taken& one : found_in(text, language).taken) out.push_back(one.from + " " + one.name);
  return out;
}

std::string exported(std::string_view text, std::string_view name,
                     Language language = Language::typescript) {
  const auto found = find_export(text, language, name);
  return found ? std::to_string(found->first_line) + ": " + found->text : "";
}

TEST(Needs, AreTheDefinitionsThatTheFunctionsName) {
  const Uses found = found_in(
      "import marked from 'marked';\n"
      "import { clean } from './text.js';\n"
      "import other from './other.js';\n"
      "const LIMIT = 10;\n"
      "interface Options { limit: number; by: Unit }\n"
      "type Unit = 'a' | 'b';\n"
      "function normalise(x: string) { return clean(x).slice(0, LIMIT); }\n"
      "function unrelated() { return other(LIMIT); }\n"
      "export function render(x: string, o: Options) {\n"
      "  const local = normalise(x);\n"
      "  return marked.parse(local, o);\n"
      "}\n",
      Language::typescript);
  EXPECT_THAT(texts_of(found.needs),
              ElementsAre("import { clean } from './text.js';", "const LIMIT = 10;",
                          "interface Options { limit: number; by: Unit }", "type Unit = 'a' | 'b';",
                          "function normalise(x: string) { return clean(x).slice(0, LIMIT); }"));
  const Snippet all = snippet(found, 10'000);
  EXPECT_EQ(all.pieces.size(), 7U);
  EXPECT_EQ(all.left_out, 0U);
  // They come after what uses the package, and are nobody's loss.
  const Snippet some =
      snippet(found, found.imports[0].text.size() + found.functions[0].text.size() + 20);
  EXPECT_THAT(texts_of(some.pieces), ElementsAre("import marked from 'marked';",
                                                 "const LIMIT = 10;", found.functions[0].text));
  EXPECT_EQ(some.left_out, 0U);
}

TEST(Needs, AreNotWhatIsShownAnyway) {
  const Uses found = found_in(
      "const marked = require('marked');\n"
      "const twice = (x) => marked(marked(x));\n"
      "exports.a = (x) => { const y = twice(x); return marked(y); };\n"
      "function around() { const inner = (x) => x; return { go() { return marked(inner(1)); } }; "
      "}\n");
  EXPECT_THAT(found.needs, IsEmpty());
  EXPECT_EQ(found.functions.size(), 3U);
}

TEST(Needs, AreBounded) {
  std::string text = "const marked = require('marked');\n";
  std::string call = "exports.a = () => marked(";
  for (int i = 0; i < 50; ++i) {
    const std::string name = "h" + std::to_string(i);
    text += "const " + name + " = () => '" + std::string(500, 'x') + "';\n";
    call += name + "() + ";
  }
  text += "const long = '" + std::string(3000, 'x') + "';\n" + call + "long);\n";
  const Uses found = found_in(text);
  EXPECT_EQ(found.needs.size(), 12U);
  std::size_t bytes = 0;
  for (const Piece& piece : snippet(found, 16384).pieces) bytes += piece.text.size();
  EXPECT_LE(bytes, found.imports[0].text.size() + found.functions[0].text.size() + kMaxNeedsBytes);
}

TEST(Needs, OfManyFunctionsAndNamesTakeNoTime) {
  std::string text = "const marked = require('marked');\n";
  for (int i = 0; i < 20'000; ++i) {
    const std::string name = "f" + std::to_string(i);
    text += "function " + name + "(x) { return marked(" +
            (i == 0 ? "x" : "f" + std::to_string(i - 1) + "(x)") + "); }\n";
  }
  EXPECT_EQ(found_in(text).functions.size(), 20'000U);
}

TEST(TakenFromOthers, ByImportAndRequire) {
  EXPECT_THAT(taken_in("import marked from 'marked';\n"
                       "import page, { clean as tidy, unused } from './text.js';\n"
                       "import * as all from '../all';\n"
                       "import fs from 'node:fs';\n"
                       "export const f = (x) => page(marked(tidy(all.trim(fs.x))));\n"),
              ElementsAre("../all trim", "./text.js clean", "./text.js default"));
  EXPECT_THAT(taken_in("const marked = require('marked');\n"
                       "const { clean, a: b } = require('./text');\n"
                       "const all = require('./all');\n"
                       "const call = require('./call');\n"
                       "const odd = other('./odd');\n"
                       "exports.f = (x) => marked(clean(b(all.trim(call(odd(x))))));\n"),
              ElementsAre("./all trim", "./call default", "./text a", "./text clean"));
  // By what a helper needs as well.
  EXPECT_THAT(taken_in("import marked from 'marked';\n"
                       "import type { Options } from './types';\n"
                       "function tidy(o: Options) { return o; }\n"
                       "export function f(x) { return marked(tidy(x)); }\n",
                       Language::typescript),
              ElementsAre("./types Options"));
}

TEST(FindExport, InTheWaysThatFilesExport) {
  const std::string text =
      "import { x } from './x';\n"
      "export function clean(a: string) { return x(a); }\n"
      "export const LIMIT = 10, MORE = 11;\n"
      "export interface Options { limit: number }\n"
      "class Page { }\n"
      "const inner = () => 1;\n"
      "export { Page as Sheet, inner };\n"
      "export { far } from './far';\n"
      "export default Page;\n";
  EXPECT_EQ(exported(text, "clean"), "2: export function clean(a: string) { return x(a); }");
  EXPECT_EQ(exported(text, "MORE"), "3: export const LIMIT = 10, MORE = 11;");
  EXPECT_EQ(exported(text, "Options"), "4: export interface Options { limit: number }");
  EXPECT_EQ(exported(text, "Sheet"), "5: class Page { }");
  EXPECT_EQ(exported(text, "inner"), "6: const inner = () => 1;");
  EXPECT_EQ(exported(text, "default"), "5: class Page { }");
  for (const char* none : {"far", "x", "Page", "nothing"})
    EXPECT_EQ(exported(text, none), "") << none;
  const std::string common =
      "const trim = (a) => a.trim();\n"
      "exports.one = function (a) { return trim(a); };\n"
      "module.exports.two = trim;\n";
  EXPECT_EQ(exported(common, "one"), "2: exports.one = function (a) { return trim(a); };");
  EXPECT_EQ(exported(common, "two"), "1: const trim = (a) => a.trim();");
  const std::string whole =
      "function trim(a) { return a; }\nfunction pad(a) { return a; }\n"
      "module.exports = { trim, left: pad };\n";
  EXPECT_EQ(exported(whole, "trim"), "1: function trim(a) { return a; }");
  EXPECT_EQ(exported(whole, "left"), "2: function pad(a) { return a; }");
  EXPECT_EQ(exported("function f() {}\nmodule.exports = f;\n", "default"), "1: function f() {}");
}

TEST(FindExport, OfWhatCannotBeReadOrIsTooLongThereIsNone) {
  EXPECT_EQ(exported("export function f() { return '" + std::string(3000, 'x') + "'; }\n", "f"),
            "");
  EXPECT_EQ(exported("export const f = '\xFF';\n", "f"), "");
  EXPECT_EQ(exported("", "f"), "");
  EXPECT_EQ(exported("export {{{{", "f"), "");
}

}  // namespace
}  // namespace cg::callsite
