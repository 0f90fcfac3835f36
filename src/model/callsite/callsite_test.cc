#include "model/callsite/callsite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cg::callsite {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Uses uses(std::string_view text, Language language = Language::javascript,
          std::string_view package = "marked") {
  auto found = find_uses(text, language, package);
  EXPECT_TRUE(found) << text;
  if (!found) return {};
  for (const auto* pieces : {&found->imports, &found->functions, &found->needs}) {
    for (const Piece& piece : *pieces) {
      EXPECT_EQ(text.substr(piece.begin, piece.end - piece.begin), piece.text);
      const auto before = text.substr(0, piece.begin);
      EXPECT_EQ(piece.first_line,
                1U + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')));
    }
  }
  return *std::move(found);
}

std::vector<std::string> texts(const std::vector<Piece>& pieces) {
  std::vector<std::string> out;
  for (const Piece& piece : pieces) out.push_back(piece.text);
  return out;
}

TEST(FindUses, OfRequire) {
  const Uses found = uses(
      "const marked = require('marked');\n"
      "const other = require('other');\n"
      "function render(text) {\n"
      "  return marked.parse(text);\n"
      "}\n"
      "function unrelated() { return other(); }\n");
  EXPECT_THAT(texts(found.imports), ElementsAre("const marked = require('marked');"));
  EXPECT_THAT(texts(found.functions),
              ElementsAre("function render(text) {\n  return marked.parse(text);\n}"));
  EXPECT_EQ(found.functions[0].first_line, 3U);
  EXPECT_THAT(found.names, ElementsAre("parse"));
  EXPECT_FALSE(found.broken);
}

TEST(FindUses, OfAPackageThatIsCalledItself) {
  const Uses found = uses("var marked = require(\"marked\")\nmodule.exports = t => marked(t)\n");
  EXPECT_THAT(texts(found.functions), ElementsAre("module.exports = t => marked(t)"));
  EXPECT_THAT(found.names, ElementsAre("default"));
}

TEST(FindUses, OfDestructuredNames) {
  const Uses found = uses(
      "const { parse: render, lexer, Parser = null } = require('marked');\n"
      "exports.a = function (x) { return render(x); };\n"
      "exports.b = (x) => { return lexer(x); };\n"
      "exports.c = (x) => { return parse(x); };\n");
  EXPECT_THAT(found.names, ElementsAre("Parser", "lexer", "parse"));
  EXPECT_THAT(texts(found.functions), ElementsAre("exports.a = function (x) { return render(x); };",
                                                  "exports.b = (x) => { return lexer(x); };"));
}

TEST(FindUses, OfImports) {
  const Uses found = uses(
      "import def, { parse as p, lexer } from 'marked';\n"
      "import * as ns from 'marked/lib/marked.esm.js';\n"
      "import 'marked';\n"
      "export { Renderer as R } from 'marked';\n"
      "export * from 'marked';\n"
      "import markedly from 'marked-man';\n"
      "class A {\n"
      "  one(x) { return p(x); }\n"
      "  two = (x) => ns.walkTokens(x);\n"
      "  static three() { return def.use(); }\n"
      "  four() { return markedly(); }\n"
      "}\n");
  EXPECT_EQ(found.imports.size(), 5U);
  EXPECT_THAT(found.names, ElementsAre("Renderer", "lexer", "parse", "use", "walkTokens"));
  EXPECT_THAT(texts(found.functions),
              ElementsAre("  one(x) { return p(x); }", "  two = (x) => ns.walkTokens(x);",
                          "  static three() { return def.use(); }"));
}

TEST(FindUses, OfRequireInPlaceAndDynamicImport) {
  const Uses found = uses(
      "function a(t) { return require('marked').parse(t); }\n"
      "async function b(t) {\n  const { lexer } = await import('marked');\n  return lexer(t);\n}\n"
      "async function c(t) {\n  const m = await import('marked/x');\n  return m.Parser;\n}\n"
      "require('marked').setOptions({});\n"
      "const d = require('marked').use;\n"
      "function e() { d(); }\n");
  EXPECT_EQ(found.imports.size(), 5U);
  EXPECT_EQ(found.functions.size(), 6U);
  EXPECT_THAT(found.names, ElementsAre("Parser", "lexer", "parse", "setOptions", "use"));
}

TEST(FindUses, OfTypeScript) {
  const Uses found = uses(
      "import m = require('marked');\n"
      "import type { Token } from 'marked';\n"
      "import { type Lexer, parse } from 'marked';\n"
      "export const render = (x: string): string => (m as any).marked(x)!;\n"
      "function walk(t: Token, l: m.TokensList): void { return; }\n"
      "enum parseKind { a }\n"
      "abstract class B { constructor(private readonly l: Lexer) {} run<T>(t: T) { parse(`${t}`); "
      "} }\n",
      Language::typescript);
  EXPECT_FALSE(found.broken);
  EXPECT_EQ(found.imports.size(), 3U);
  EXPECT_THAT(found.names, ElementsAre("Lexer", "Token", "TokensList", "marked", "parse"));
  EXPECT_EQ(found.functions.size(), 3U);
  const Uses element = uses(
      "import { View } from 'marked';\nimport * as m from 'marked';\n"
      "export function App() { return <View a={m.x}><m.Y /></View>; }\n",
      Language::tsx);
  EXPECT_EQ(element.functions.size(), 1U);
  EXPECT_THAT(element.names, testing::IsSupersetOf({"View", "x"}));
}

TEST(FindUses, FollowsAliases) {
  const Uses found = uses(
      "const marked = require('marked');\n"
      "const parse = marked.parse;\n"
      "const again = parse;\n"
      "let late;\n"
      "late = marked.lexer;\n"
      "const md = new marked.Marked({});\n"
      "function a() { return again(1); }\n"
      "function b() { return late(1); }\n"
      "function c() { return md.render(1); }\n"
      "var x_1 = __importDefault(require('marked'));\n"
      "function d() { return x_1.default.walk(1); }\n");
  const auto functions = texts(found.functions);
  for (const char* name : {"a()", "b()", "c()", "d()"}) {
    EXPECT_THAT(functions, testing::Contains(HasSubstr("function " + std::string(name))));
  }
  EXPECT_THAT(found.names, testing::IsSupersetOf({"parse", "lexer", "Marked"}));
  EXPECT_THAT(found.names, Not(testing::Contains("render")));
}

TEST(FindUses, NotOfShadowedNames) {
  const Uses found = uses(
      "const marked = require('marked');\n"
      "function a(marked) { return marked.parse(1); }\n"
      "function b() { let marked = 1; { return marked.parse; } }\n"
      "function c() { try {} catch (marked) { marked.x(); } }\n"
      "function d() { for (const marked of []) marked.y(); }\n"
      "function e() { return hoisted(); function hoisted() { var marked; } }\n"
      "function f({ marked }, [g = marked]) {}\n"
      "const h = marked => marked.z;\n"
      "const i = (x, ...marked) => marked.z;\n"
      "function j() { return { marked: 1 }.marked; }\n");
  EXPECT_THAT(texts(found.functions), IsEmpty());
  EXPECT_THAT(found.names, IsEmpty());
  const Uses used = uses(
      "const marked = require('marked');\n"
      "function k() { { let marked; } return marked.parse; }\n"
      "function l(x = marked.lexer) {}\n"
      "function m() { return { marked }; }\n");
  EXPECT_EQ(used.functions.size(), 3U);
  EXPECT_THAT(used.names, ElementsAre("default", "lexer", "parse"));
}

TEST(FindUses, TakesTheSmallestWholeFunction) {
  const Uses found = uses(
      "import { parse } from 'marked';\n"
      "export function outer(list) {\n"
      "  const first = 1;\n"
      "  function inner(x) {\n"
      "    return parse(x);\n"
      "  }\n"
      "  return list.map(inner);\n"
      "}\n"
      "app.get('/', (q, s) => {\n"
      "  s.send(q.list.map((x) => parse(x)));\n"
      "});\n"
      "parse('top');\n");
  EXPECT_THAT(texts(found.functions),
              ElementsAre("  function inner(x) {\n    return parse(x);\n  }",
                          "app.get('/', (q, s) => {\n  s.send(q.list.map((x) => parse(x)));\n});",
                          "parse('top');"));
}

TEST(FindUses, OfNothing) {
  EXPECT_TRUE(uses("const x = 'marked';\n").empty());
  EXPECT_TRUE(uses("// require('marked')\n").empty());
  EXPECT_TRUE(uses("require('marked-man'); require('./marked'); require(marked);\n").empty());
  EXPECT_TRUE(uses("foo('marked'); require.resolve('marked');\n").empty());
  EXPECT_TRUE(uses("").empty());
  EXPECT_TRUE(uses("import x from '@s/marked';").empty());
  EXPECT_FALSE(uses("import x from '@s/marked/y';", Language::typescript, "@s/marked").empty());
}

TEST(FindUses, OfAFileThatIsPartlyBroken) {
  const Uses found =
      uses("const m = require('marked');\nfunction a() { return m.parse(1); }\nfunction ( { = ;\n");
  EXPECT_TRUE(found.broken);
  EXPECT_THAT(texts(found.functions), testing::Contains(HasSubstr("m.parse(1)")));
}

TEST(FindUses, LeavesTheRestOfALongLineOut) {
  std::string text = "var m=require('marked');";
  for (int i = 0; i < 100; ++i) text += "function f" + std::to_string(i) + "(){return 1};";
  text += "function g(){return m.parse(2)};";
  for (int i = 0; i < 100; ++i) text += "function h" + std::to_string(i) + "(){return 1};";
  const Uses found = uses(text);
  EXPECT_THAT(texts(found.functions), ElementsAre("function g(){return m.parse(2)}"));
}

TEST(Snippet, HasWholePiecesInTheOrderOfTheFile) {
  const Uses found = uses(
      "const m = require('marked');\n\nfunction a() { return m.parse(1); }\n"
      "function b() { return m.lexer(1, 2, 3, 4, 5, 6); }\n");
  const std::vector<std::string> whole = {"const m = require('marked');",
                                          "function a() { return m.parse(1); }",
                                          "function b() { return m.lexer(1, 2, 3, 4, 5, 6); }"};
  const Snippet all = snippet(found, 16384);
  EXPECT_EQ(texts(all.pieces), whole);
  EXPECT_EQ(all.pieces[1].first_line, 3U);
  EXPECT_EQ(all.left_out, 0U);
  for (std::size_t cap = 0; cap <= 120; ++cap) {
    const Snippet cut = snippet(found, cap);
    std::size_t size = 0;
    for (const Piece& piece : cut.pieces) {
      EXPECT_THAT(whole, ::testing::Contains(piece.text));
      size += piece.text.size();
    }
    EXPECT_LE(size, cap);
    EXPECT_EQ(cut.pieces.size() + cut.left_out, 3U);
  }
}

TEST(Snippet, HasNotTooManyPieces) {
  std::string text = "const m = require('marked');\n";
  for (std::size_t i = 0; i < kMaxPieces + 3; ++i) {
    text += "function f" + std::to_string(i) + "() { return m.parse(1); }\n";
  }
  const Snippet cut = snippet(uses(text), 16384);
  EXPECT_EQ(cut.pieces.size(), kMaxPieces);
  EXPECT_EQ(cut.left_out, 4U);
}

}  // namespace
}  // namespace cg::callsite
