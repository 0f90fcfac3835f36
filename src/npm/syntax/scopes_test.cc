#include "npm/syntax/scopes.h"

#include <gtest/gtest.h>

#include "npm/syntax/types.h"

namespace cg::syntax {
namespace {

/// "where it is declared" of the last `word` in the text: the byte, or "free", or "type".
std::string declared(std::string_view text, std::string_view word,
                     Language language = Language::typescript) {
  const auto syntax = Syntax::parse(text, language);
  if (!syntax || syntax->broken()) return "broken";
  const auto scopes = Scopes::of(*syntax);
  if (!scopes) return "deep";
  Index last = kNone;
  for (Index i = 0; i < syntax->nodes().size(); ++i) {
    if (syntax->at(i).kind == Kind::identifier && syntax->text_of(i) == word) last = i;
  }
  if (last == kNone) return "none";
  const Index binding = scopes->resolve(last, word);
  if (binding == kNone) return "free";
  const Binding& found = scopes->bindings()[binding];
  return found.erased ? "type" : std::to_string(syntax->at(found.name).begin);
}

TEST(Scopes, TypesDeclareNothingThatRuns) {
  EXPECT_EQ(declared("interface x {} x();", "x"), "type");
  EXPECT_EQ(declared("type x = 1; x();", "x"), "type");
  EXPECT_EQ(declared("type T = (x: string) => void; x();", "x"), "free");
  EXPECT_EQ(declared("interface T { m(x: string): void } x();", "x"), "free");
  EXPECT_EQ(declared("function f(x: string) { x(); }", "x"), "11");
  EXPECT_EQ(declared("const x = 1; x();", "x"), "6");
  EXPECT_EQ(declared("import type { x } from 'm'; x();", "x"), "type");
  EXPECT_EQ(declared("import { type x } from 'm'; x();", "x"), "type");
  EXPECT_EQ(declared("import /* a */ type x from 'm'; x();", "x"), "type");
  EXPECT_EQ(declared("import { y as x } from 'm'; x();", "x"), "14");
  EXPECT_EQ(declared("namespace x {} x();", "x"), "type");
}

TEST(Scopes, OnlyTheWordBeforeTheNameMakesALoopVariable) {
  EXPECT_EQ(declared("for (const x of []) { x(); }", "x"), "11");
  EXPECT_EQ(declared("for (x of []) { x(); }", "x"), "free");
  EXPECT_EQ(declared("for (/* let */ x of []) { x(); }", "x"), "free");
  EXPECT_EQ(declared("for (// let\nx of []) { x(); }", "x"), "free");
  EXPECT_EQ(declared("for (let /* y */ x of []) { x(); }", "x"), "17");
}

TEST(LanguageOf, IsByEnding) {
  EXPECT_EQ(language_of("src/a.mjs"), Language::javascript);
  EXPECT_EQ(language_of("a.jsx"), Language::javascript);
  EXPECT_EQ(language_of("a.d.ts"), Language::typescript);
  EXPECT_EQ(language_of("a.cts"), Language::typescript);
  EXPECT_EQ(language_of("a.tsx"), Language::tsx);
  EXPECT_EQ(language_of("a.json"), std::nullopt);
  EXPECT_EQ(language_of("js"), std::nullopt);
}

std::string constant(std::string_view text) {
  const auto syntax = Syntax::parse(text, Language::javascript);
  for (Index i = 0; syntax && i < syntax->nodes().size(); ++i) {
    if (const auto found = syntax->constant(i)) return *found;
  }
  return "none";
}

TEST(Syntax, UndoesEscapes) {
  EXPECT_EQ(constant("'a b'"), "a b");
  EXPECT_EQ(constant("`a`"), "a");
  EXPECT_EQ(constant("`a${b}`"), "none");
  EXPECT_EQ(constant("'\\x65v\\u0061\\u{6c}'"), "eval");
  EXPECT_EQ(constant("'\\145val'"), "eval");
  EXPECT_EQ(constant("'e\\\nval'"), "eval");
  EXPECT_EQ(constant("'\\e\\'\\n'"), "e'\n");
  EXPECT_EQ(constant("''"), "");
  EXPECT_EQ(constant("'\\u{1F600}'"), "\xF0\x9F\x98\x80");
  EXPECT_EQ(constant("x"), "none");
}

TEST(Types, AreErased) {
  const std::string text =
      "interface A { f(a: b): c }\nconst d = e as typeof f;\nlet g: typeof h = i!;\n";
  const auto syntax = Syntax::parse(text, Language::typescript);
  ASSERT_TRUE(syntax && !syntax->broken());
  const auto erased = erased_nodes(*syntax);
  std::string left;
  for (Index i = 0; i < syntax->nodes().size(); ++i) {
    if (syntax->at(i).kind == Kind::identifier && !erased[i]) left += syntax->text_of(i);
  }
  EXPECT_EQ(left, "degi");
}

}  // namespace
}  // namespace cg::syntax
