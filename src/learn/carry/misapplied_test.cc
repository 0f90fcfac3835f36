// Rewrites that fit by their looks and would be wrong: each is refused, and its twin that is right
// is carried.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "learn/carry/match.h"
#include "learn/carry/samples_test.h"

namespace cg::carry {
namespace {

using testing::HasSubstr;

struct Case {
  std::string before;
  std::string after;
  std::string other;
  std::string due;  // the new text, or a piece of the refusal
};

/// What becomes of a body by what became of another one; all have the same imports above.
std::string carried_over(const Case& one, syntax::Language language = syntax::Language::tsx) {
  const std::string head =
      "import * as menu from 'menu';\nimport { draw, load } from 'menu';\n"
      "import { a, b, finish, n, ok, print, show, x, y } from './all';\n";
  const std::string before = head + one.before;
  const auto from = learn({before, language, "menu"}, head + one.after);
  if (!from) return "not learned: " + describe(from.error());
  const std::string other = head + one.other;
  std::string out = said(carried(*from, {other, language, "menu"}));
  return out.starts_with(head) ? out.substr(head.size()) : out;
}

void expect_all(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    EXPECT_THAT(carried_over(one), HasSubstr(one.due)) << one.before << "\n" << one.other;
    EXPECT_EQ(carried_over({one.before, one.after, one.before, ""}), one.after);
  }
}

TEST(Misapplied, UsesWithinWhatAHoleOfAWiderRuleTakes) {
  const char* before = "const row = menu.parse(x);\nprint();\nshow(menu.trim(x));\n";
  const char* after =
      "const p = new menu.P();\nconst row = p.parse(x);\nprint();\nshow(menu.strip(x));\n";
  expect_all({
      {before, after, "const row = menu.parse(menu.trim(x));\n", "refused: line 4"},
      {before, after, "const row = menu.parse(b ? menu.trim(x) : x);\n", "refused: line 4"},
      {before, after, "const row = menu.parse(x.text);\n",
       "const p = new menu.P();\nconst row = p.parse(x.text);\n"},
  });
  const char* with = "const row = menu.parse(() => menu.find(x));\nprint();\nshow(menu.find(x));\n";
  const char* now =
      "const p = new menu.P();\nconst row = p.parse(() => "
      "menu.seek(x));\nprint();\nshow(menu.seek(x));\n";
  expect_all({
      {with, now, "const row = menu.parse(() => menu.lose(x));\n", "refused: line 4"},
      {with, now, "const row = menu.parse(() => menu.find(y));\n",
       "const p = new menu.P();\nconst row = p.parse(() => menu.seek(y));\n"},
  });
  const char* same = "const row = menu.parse(() => menu.lose(x));\nprint();\n";
  expect_all(
      {{same, "const p = new menu.P();\nconst row = p.parse(() => menu.lose(x));\nprint();\n",
        "const row = menu.parse(() => menu.lose(y));\n",
        "const p = new menu.P();\nconst row = p.parse(() => menu.lose(y));\n"}});
  // A wider rule within a wider one.
  expect_all(
      {{"const row = menu.parse(() => x);\nprint();\nconst f = () => {\n"
        "  const line = menu.read(x);\n  show(line);\n};\n",
        "const p = new menu.P();\nconst row = p.parse(() => x);\nprint();\nconst f = () => {\n"
        "  const q = new menu.Q();\n  const line = q.read(x);\n  show(line);\n};\n",
        "const row = menu.parse(() => {\n  const line = menu.read(y);\n  show(line);\n});\n",
        "const p = new menu.P();\nconst row = p.parse(() => {\n  const q = new menu.Q();\n"
        "  const line = q.read(y);\n  show(line);\n});\n"}});
}

std::string late(const std::string& body) {
  return "export const late = async () => {\n" + body + "};\n";
}

TEST(Misapplied, TextThatIsReadOtherwiseThanItWasWritten) {
  const std::string draws = late("  draw(x);\n");
  const std::string waits = late("  draw(await x);\n");
  const std::string goes_on = late("  (await draw(x)).y();\n");
  const char* block = "const f = () => {\n  return draw(x);\n};\n";
  const char* object = "const f = () => {\n  return { a: draw(x) };\n};\n";
  expect_all({
      {draws, waits, late("  draw(a || b);\n"), "would be read otherwise"},
      {draws, waits, late("  draw(a.b);\n"), "  draw(await a.b);\n"},
      {"show(ok && draw(x));\n", "show(ok && draw(x) === true);\n", "show(!draw(y));\n",
       "would be read otherwise"},
      {"show(ok && draw(x));\n", "show(ok && draw(x) === true);\n", "show(y || draw(y));\n",
       "show(y || draw(y) === true);\n"},
      {block, object, "const g = (z) => draw(z);\n", "a block would be read"},
      {block, object, "const g = (z) => (draw(z));\n", "const g = (z) => ({ a: draw(z) });\n"},
      {draws, goes_on, late("  const z = b\n  draw(x)\n"), "would be read otherwise"},
      {draws, goes_on, late("  const z = b;\n  draw(x)\n"),
       late("  const z = b;\n  (await draw(x)).y()\n")},
      {"const z = draw(x);\nString(z);\n", "const z = draw.paint(x);\n[z].map(String);\n",
       "const z = draw(x)\nString(z);\n", "would be read otherwise"},
      {"const z = draw(x);\nString(z);\n", "const z = draw.paint(x);\n[z].map(String);\n",
       "const z = draw(y);\nString(z)\n", "const z = draw.paint(y);\n[z].map(String)\n"},
  });
}

TEST(Misapplied, GlobalsThatAreNamesOfTheFile) {
  const char* before = "menu.open(window);\n";
  const char* after = "menu.open();\n";
  expect_all({
      {before, after, "show((window) => {\n  menu.open(window);\n});\n",
       "`window` is a name of the file"},
      {before, after, "show((one) => {\n  menu.open(window);\n});\n", "  menu.open();\n"},
      {"draw({ window });\n", "draw();\n", "const window = 1;\ndraw({ window });\n",
       "`window` is a name of the file"},
      {"draw<Promise>(1);\n", "draw(1);\n", "type Promise = 1;\ndraw<Promise>(1);\n",
       "`Promise` is a name of the file"},
  });
}

TEST(Misapplied, WhatIsAsyncAndWhatIsNot) {
  const char* before = "class A {\n  async f() {\n    return draw(1);\n  }\n}\n";
  const char* after = "class A {\n  async f() {\n    return draw.later(1);\n  }\n}\n";
  const char* other = "class A {\n  private async f() {\n    return draw(1);\n  }\n}\n";
  expect_all({
      {before, after, other, "    return draw.later(1);\n"},
      {before, after, "class A {\n  @a public static async*f() {\n    return draw(1);\n  }\n}\n",
       "    return draw.later(1);\n"},
      {before, after, "class A {\n  private f() {\n    return draw(1);\n  }\n}\n",
       "used for something else"},
      {before, after, "class A {\n  async() {\n    return draw(1);\n  }\n}\n",
       "used for something else"},
      {"show(() => draw(1));\n", "show(() => draw.now(1));\n", other, "used for something else"},
  });
}

TEST(Misapplied, WhatAFunctionOfAnotherKindHasOfItsOwn) {
  const char* before = "draw(x, function () { return [x.y]; });\n";
  const char* after = "draw(x, () => { return [x.y, 1]; });\n";
  expect_all({
      {before, after, "draw(x, function () { return [this.y]; });\n", "stands where"},
      {before, after, "draw(x, function () { return [arguments[0]]; });\n", "stands where"},
      {"draw(x, () => { return [x.y]; });\n", "draw(x, function () { return [x.y, 1]; });\n",
       "draw(x, () => { return [this.y]; });\n", "stands where"},
      {"draw(async () => [x.y]);\n", "draw(() => [x.y, 1]);\n", "draw(async () => [await x]);\n",
       "stands where"},
      {"draw(x, () => { return [x.y]; });\n", "draw(x, () => { return [x.y, 1]; });\n",
       "draw(x, () => { return [this.y]; });\n", "return [this.y, 1];"},
  });
}

TEST(Misapplied, ArgumentsOfSomebodyElse) {
  const char* before = "menu.open(menu.find(x));\n";
  const char* after = "menu.open([menu.find(x)]);\n";
  expect_all({
      {before, after, "show(menu.find(y));\n", "used for something else"},
      {before, after, "menu.open(menu.find(y));\n", "menu.open([menu.find(y)]);\n"},
      {"menu.open({ a: menu.find(x) });\n", "menu.open({ a: [menu.find(x)] });\n",
       "show({ a: menu.find(y) });\n", "used for something else"},
      {"menu.open(() => menu.find(x));\n", "menu.open(() => [menu.find(x)]);\n",
       "show(() => menu.find(y));\n", "used for something else"},
      {"menu.open(() => { return menu.find(x); });\n",
       "menu.open(() => { return [menu.find(x)]; });\n", "const f = () => menu.find(y);\n",
       "used for something else"},
      {"menu.open(menu.find(x), x);\nmenu.shut(x, menu.find(x));\n",
       "menu.open([menu.find(x)], x);\nmenu.shut(x, menu.find(x));\n",
       "menu.shut(x, menu.find(y));\n", "menu.shut(x, menu.find(y));\n"},
      {"const s = menu.open();\ns.add(menu.find(x));\n",
       "const s = menu.open();\ns.add([menu.find(x)]);\n", "show(menu.find(y));\n",
       "used for something else"},
      {"show(menu.find(x));\n", "show([menu.find(x)]);\n", "print(1, menu.find(y));\n",
       "print(1, [menu.find(y)]);\n"},
  });
}

TEST(Misapplied, MarkupAndTypesAroundAUse) {
  const char* attribute = "show(<p title={draw(x)} />);\n";
  const char* retitled = "show(<p title={draw.text(x)} />);\n";
  const char* child = "show(<p>{draw(x)}</p>);\n";
  const char* rewritten = "show(<p>{draw.text(x)}</p>);\n";
  const char* plain = "const z = draw(x);\n";
  const char* wrapped = "const z = draw.text(x);\n";
  expect_all({
      {attribute, retitled, "print(<b c={draw(y)}></b>);\n", "<b c={draw.text(y)}></b>"},
      {attribute, retitled, child, "used for something else"},
      {attribute, retitled, "print(<menu.Box c={draw(y)} />);\n", "`menu.Box` stands"},
      {child, rewritten, "print(<>a {draw(y)} b</>);\n", "<>a {draw.text(y)} b</>"},
      {child, rewritten, attribute, "used for something else"},
      {child, rewritten, "print(<menu.Box>{draw(y)}</menu.Box>);\n", "`menu.Box` stands"},
      {child, rewritten, "print(<p>{...draw(y)}</p>);\n", "used for something else"},
      {plain, wrapped, "const z = draw(y) as string;\n", "const z = draw.text(y) as string;\n"},
      {plain, wrapped, "const z = (draw(y) satisfies A)!;\n",
       "const z = (draw.text(y) satisfies A)!;\n"},
      {plain, wrapped, "const z = (draw(y) as string).length;\n", "used for something else"},
      {plain, wrapped, "show(draw(y) as string);\n", "used for something else"},
      {"const row = menu.parse(x) as A;\nrow.trim();\n",
       "const row = menu.parse(x) as A;\nrow.strip();\n",
       "const line = menu.parse(y);\nline.trim();\n",
       "const line = menu.parse(y);\nline.strip();\n"},
      {plain, "const z = x + draw(x);\n", "const z = draw(y) as string;\n",
       "const z = y + draw(y) as string;\n"},
      {plain, wrapped, "const z = draw(y)!;\n", "const z = draw.text(y)!;\n"},
  });
}

TEST(Misapplied, NamesThatOthersImport) {
  const char* before = "const s = draw();\n";
  const char* after = "const s = draw.wrap(draw());\n";
  expect_all({
      {before, after, "export const s = draw();\n", "used for something else"},
      {before, after, "export const { s } = draw();\n", "used for something else"},
      {before, after, "const other = draw();\n", "const other = draw.wrap(draw());\n"},
      {"export const s = draw();\n", "export const s = draw.wrap(draw());\n",
       "export const t = draw();\n", "export const t = draw.wrap(draw());\n"},
  });
}

TEST(Misapplied, CallsOfTheFilesOwnThatGetLost) {
  const auto learned = [](const char* before, const char* after) {
    return carried_over({before, after, before, ""});
  };
  EXPECT_THAT(learned("draw(x, show(x));\n", "draw(x);\n"), HasSubstr("not learned: line 4"));
  EXPECT_THAT(learned("draw(x, y.save(x));\n", "draw(x);\n"), HasSubstr("not learned: line 4"));
  EXPECT_THAT(learned("draw(x, this.save(x));\n", "draw(x);\n"), HasSubstr("not learned: line 4"));
  EXPECT_THAT(learned("draw(x, exports.f(x));\n", "draw(x);\n"), HasSubstr("not learned: line 4"));
  EXPECT_THAT(learned("draw(x, new show(x));\n", "draw(x);\n"), HasSubstr("not learned: line 4"));
  EXPECT_THAT(learned("let z = 0;\ndraw(x, z++);\n", "let z = 0;\ndraw(x);\n"),
              HasSubstr("not learned: line 5"));
  EXPECT_THAT(learned("let z = 0;\ndraw(x, (z = 1));\n", "let z = 0;\ndraw(x);\n"),
              HasSubstr("not learned: line 5"));
  EXPECT_THAT(learned("draw(show(x), show(x));\n", "draw(show(x));\n"),
              HasSubstr("not learned: line 4"));
  // A global is the same one elsewhere, and what only moves is not lost.
  expect_all({
      {"draw(x, String(x));\n", "draw(x);\n", "draw(y, String(y));\n", "draw(y);\n"},
      {"draw(x, show(x));\n", "draw(show(x), x);\n", "draw(y, print(y));\n",
       "draw(print(y), y);\n"},
  });
}

TEST(Misapplied, WhatTheInnermostUseGave) {
  const char* before =
      "menu.each(() => {\n  const row = menu.parse(x);\n  row.trim();\n});\nshow(menu.find(x));\n"
      "const more = menu.find(x);\n";
  const char* after =
      "menu.each(() => {\n  const row = menu.parse(x);\n  row.strip();\n});\nshow(menu.find(x));\n"
      "const more = menu.find(x);\n";
  expect_all({
      {before, after, "menu.each(() => {\n  const row = menu.find(x);\n  row.trim();\n});\n",
       "was not made as in the example"},
      {before, after, "const row = menu.parse(x);\nrow.trim();\n",
       "const row = menu.parse(x);\nrow.strip();\n"},
  });
}

TEST(Misapplied, WhatIsPutOffBehindWhatFollows) {
  const char* before = "const t = load(n);\nshow(t);\n";
  const char* after = "load(n, (t) => {\n  show(t);\n});\n";
  const char* inner = "const f = () => {\n  const t = load(n);\n  show(t);\n};\nf();\n";
  const char* outer = "const f = () => {\n  load(n, (t) => {\n    show(t);\n  });\n};\nf();\n";
  expect_all({
      {before, after, "const t = load(n);\nshow(t);\nfinish();\n", "follows"},
      {before, after, "if (n) {\n  const t = load(n);\n  show(t);\n}\nfinish();\n", "follows"},
      {before, after, "for (const n of a) {\n  const t = load(n);\n  show(t);\n}\n", "follows"},
      {before, after, "const t = load(n);\nshow(t);\nfunction g() {}\n",
       "load(n, (t) => {\n  show(t);\n});\nfunction g() {}\n"},
      {inner, outer, "const g = () => {\n  const u = load(x);\n  show(u);\n};\nfinish();\n",
       "const g = () => {\n  load(x, (u) => {\n    show(u);\n  });\n};\nfinish();\n"},
      {inner, outer, "const g = () => {\n  const u = load(x);\n  show(u);\n  finish();\n};\n",
       "follows"},
      {"load(n, (t) => {\n  show(t);\n});\n", "const t = load(n);\nshow(t);\n",
       "load(n, (t) => {\n  show(t);\n});\nfinish();\n", "follows"},
  });
  EXPECT_THAT(carried_over({"const t = load(n);\nshow(t);\nfinish();\n",
                            "load(n, (t) => {\n  show(t);\n});\nfinish();\n", "", ""}),
              HasSubstr("not learned: "));
}

/// The same of whole files.
std::string carried_file(const Case& one) {
  const syntax::Language language = syntax::Language::javascript;
  const auto from = learn({one.before, language, "m"}, one.after);
  if (!from) return "not learned: " + describe(from.error());
  return said(carried(*from, {one.other, language, "m"}));
}

TEST(Misapplied, MembersOfMembers) {
  const std::string head = "const s = require('m').sub;\nconst d = require('m').sub.deep;\n";
  const std::string before = head + "s.go(1);\nd.run(1);\n";
  const std::string after = head + "s.went(1);\nd.run(1);\n";
  EXPECT_EQ(carried_file({before, after, head + "s.go(1);\n", ""}), head + "s.went(1);\n");
  EXPECT_THAT(carried_file({before, after, head + "d.go(1);\n", ""}), HasSubstr("refused: line 3"));
}

TEST(Misapplied, UsesWithinImports) {
  const std::string own = "const m = require('m');\n";
  const std::string before = own + "const n = require('m/n')(m.a);\nm.trim(1);\n";
  const std::string after = own + "const n = require('m/n')(m.a);\nm.strip(1);\n";
  EXPECT_EQ(carried_file({before, after, before, ""}), after);
  EXPECT_THAT(
      carried_file({before, after, own + "const n = require('m/n')(m.trim(1));\nm.trim(1);\n", ""}),
      HasSubstr("refused: line 2"));
  EXPECT_THAT(carried_file({own + "const n = require('m/n')(process.env);\n",
                            own + "const n = require('m/x')(process.env);\n",
                            own + "const n = require('m/n')(m.trim(1));\n", ""}),
              HasSubstr("refused: line 2"));
}

TEST(Misapplied, NamesThatNobodyFollows) {
  const std::string before = "const { sub: { deep } } = require('m');\ndeep.a(1);\n";
  const std::string after = "const { sub: { deep } } = require('m/x');\ndeep.a(1);\n";
  EXPECT_THAT(
      carried_file({before, after, "const { sub: { deep } } = require('m');\ndeep.b(1);\n", ""}),
      HasSubstr("not learned: line 1"));
  const std::string rest = "const { a, ...more } = require('m');\na(1);\nmore.b(1);\n";
  EXPECT_THAT(carried_file({rest, rest, rest, ""}), HasSubstr("not learned: line 1"));
}

}  // namespace
}  // namespace cg::carry
