// What a suite is given so that it has something to find.
#include "prove/challenge/challenge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "prove/challenge/flip.h"

namespace cg::challenge {
namespace {

using syntax::Language;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Every way in which the one assertion of `text` is made wrong, over many draws.
std::set<std::string> ways(const std::string& text, Language language = Language::javascript) {
  std::set<std::string> out;
  for (std::uint64_t draw = 1; draw <= 200; ++draw) {
    const auto flips = flips_of(text, language, draw * 7919);
    EXPECT_THAT(flips, SizeIs(1)) << text;
    for (const Flip& flip : flips) out.insert(applied(text, {flip}));
  }
  return out;
}

TEST(Flip, ExpectsAnotherPlainValue) {
  EXPECT_THAT(ways("assert.equal(add(1, 2), 3);"),
              Each(testing::MatchesRegex("assert.equal\\(add\\(1, 2\\), [1-9]3\\);")));
  EXPECT_THAT(ways("assert.equal(x, 0)"),
              Each(testing::MatchesRegex("assert.equal\\(x, [1-9]\\)")));
  EXPECT_THAT(ways("t.is(name(), 'a b')"),
              Each(testing::MatchesRegex("t.is\\(name\\(\\), '[a-z]a b'\\)")));
  EXPECT_THAT(ways("assert.strictEqual(x, true)"),
              testing::ElementsAre("assert.strictEqual(x, false)"));
  EXPECT_THAT(ways("assert.equal(x, null)"),
              Each(testing::MatchesRegex("assert.equal\\(x, [1-9]\\)")));
}

TEST(Flip, LooksIntoObjectsAndLists) {
  EXPECT_THAT(ways("assert.deepEqual(x, { a: [b, 7] })"),
              Each(testing::MatchesRegex("assert.deepEqual\\(x, \\{ a: \\[b, [1-9]7\\] \\}\\)")));
}

TEST(Flip, SaysTheOppositeWhereThereIsNoPlainValue) {
  EXPECT_THAT(ways("assert.deepStrictEqual(x, y)"),
              testing::ElementsAre("assert.notDeepStrictEqual(x, y)"));
  EXPECT_THAT(ways("assert(a && b, 'text')"), testing::ElementsAre("assert(!(a && b), 'text')"));
  EXPECT_THAT(ways("t.ok(x)"), testing::ElementsAre("t.ok(!(x))"));
  EXPECT_THAT(ways("expect(x).toBe(y)"), testing::ElementsAre("expect(x).not.toBe(y)"));
  EXPECT_THAT(ways("expect(x).to.deep.equal(y)"),
              testing::ElementsAre("expect(x).to.deep.not.equal(y)"));
}

TEST(Flip, MixesItsWays) {
  EXPECT_GT(ways("expect(f(x)).toBe(12)").size(), 5U);
  EXPECT_THAT(ways("expect(f(x)).toBe(12)"), testing::Contains("expect(f(x)).not.toBe(12)"));
}

TEST(Flip, TakesAnOppositeBack) {
  EXPECT_THAT(ways("expect(x).not.toBe(3)"), testing::ElementsAre("expect(x).toBe(3)"));
  EXPECT_THAT(ways("expect(x).to.not.equal(y)"), testing::ElementsAre("expect(x).to.equal(y)"));
  EXPECT_THAT(ways("assert.notEqual(x, y)"), testing::ElementsAre("assert.equal(x, y)"));
  EXPECT_THAT(ways("t.falsy(x)"), testing::ElementsAre("t.falsy(!(x))"));
}

TEST(Flip, KnowsStatesAndShould) {
  EXPECT_THAT(ways("expect(x).to.be.true;"), testing::ElementsAre("expect(x).to.be.not.true;"));
  EXPECT_THAT(ways("expect(x).to.not.be.empty;"), testing::ElementsAre("expect(x).to.be.empty;"));
  EXPECT_THAT(ways("x.should.equal(y)"), testing::ElementsAre("x.should.not.equal(y)"));
  EXPECT_THAT(ways("expect(f).toHaveBeenCalled()"),
              testing::ElementsAre("expect(f).not.toHaveBeenCalled()"));
}

TEST(Flip, ThrowsWhereItMustNotAndTheOtherWayRound) {
  EXPECT_THAT(ways("assert.throws(() => f(), /no/)"),
              testing::ElementsAre("assert.throws(() => {}, /no/)"));
  EXPECT_THAT(ways("await t.throwsAsync(f)"),
              testing::ElementsAre("await t.throwsAsync(async () => {})"));
  EXPECT_THAT(ways("assert.doesNotThrow(f)"), Each(HasSubstr("() => { throw new Error('")));
  EXPECT_THAT(ways("expect(f).toThrow()"), testing::ElementsAre("expect(f).not.toThrow()"));
  EXPECT_THAT(ways("assert.match(x, /a/)"),
              Each(testing::MatchesRegex("assert.match\\('[a-z]+', /a/\\)")));
}

TEST(Flip, KnowsAssertionsThatWereTakenOutOfTheirModule) {
  EXPECT_THAT(ways("equal(x, 3)"), Each(testing::MatchesRegex("equal\\(x, [1-9]3\\)")));
  EXPECT_THAT(ways("deepEqual(x, y)"),
              Each(testing::MatchesRegex("deepEqual\\(x, \\{ [a-z]+: y \\}\\)")));
  EXPECT_THAT(flips_of("deepEqual(x, y)", Language::typescript, 1), IsEmpty())
      << "a compiler would see that it is something else";
}

TEST(Flip, LeavesAloneWhatIsNoAssertion) {
  for (const char* text : {"console.assert(x)", "list.is(x, 3)", "assert.equal(...both)",
                           "assert.equal(x)", "assert.equal(x, 0x1f, `t`) && (",
                           "// assert.equal(x, 3)", "x.to.be.true", "it('a', f)", ""}) {
    EXPECT_THAT(flips_of(text, Language::javascript, 1), IsEmpty()) << text;
  }
}

TEST(Flip, KnowsWhichTestItIsIn) {
  const std::string text =
      "check(1);\n"
      "describe('x', () => {\n"
      "  it('a', async () => { await f().then((v) => { assert.equal(v, 1); }); });\n"
      "  test.only('b', function () { assert.equal(f(), 2); assert.ok(g()); });\n"
      "  assert(h);\n"
      "});\n";
  const auto flips = flips_of(text, Language::javascript, 1);
  ASSERT_THAT(flips, SizeIs(4));
  EXPECT_EQ(flips[0].test, text.find("async () =>"));
  EXPECT_EQ(flips[1].test, text.find("function ()"));
  EXPECT_EQ(flips[2].test, flips[1].test);
  EXPECT_EQ(flips[3].test, Flip::kLoose);
}

TEST(Flip, SeveralAtOnceDoNotOverlap) {
  const std::string text = "assert(a(() => { assert.equal(x, 3); }));\nassert.equal(y, 0);\n";
  const std::string out = applied(text, flips_of(text, Language::javascript, 5));
  EXPECT_THAT(out, testing::MatchesRegex("assert\\(a\\(\\(\\) => \\{ assert.equal\\(x, [1-9]3\\); "
                                         "\\}\\)\\);\nassert.equal\\(y, [1-9]\\);\n"));
}

TEST(Flip, ReadsTypeScript) {
  EXPECT_THAT(ways("expect<number>(f(x as any)).toEqual(y)", Language::typescript),
              testing::ElementsAre("expect<number>(f(x as any)).not.toEqual(y)"));
}

TEST(Challenge, KnowsTestsByNameFolderAndScript) {
  for (const char* path :
       {"test/a.js", "src/__tests__/a.tsx", "src/a.test.ts", "a.spec.mjs", "test.js",
        "lib/a_test.js", "test-a.js", "packages/b/tests/deep/x.cjs"}) {
    EXPECT_TRUE(may_hold_tests(path, "")) << path;
  }
  for (const char* path : {"src/a.js", "latest.js", "test/data.json", "node_modules/a/test/x.js",
                           "test/a.d.ts", "contest/a.js"}) {
    EXPECT_FALSE(may_hold_tests(path, "jest")) << path;
  }
  EXPECT_TRUE(may_hold_tests("scripts/run.js", "node scripts/run.js"));
}

TEST(Challenge, MakesOneAssertionOfEachFileWrong) {
  const std::vector<File> files = {{"test/a.js", "assert.equal(f(), 1);\nassert.equal(g(), 2);\n"},
                                   {"test/none.js", "helper();\n"}};
  std::set<std::string> seen;
  for (std::uint64_t draw = 0; draw < 100; ++draw) {
    const auto wrong = wrong_tests(files, draw);
    ASSERT_THAT(wrong, SizeIs(1));
    EXPECT_NE(wrong.at("test/a.js"), files[0].text);
    const bool first = wrong.at("test/a.js").find("assert.equal(g(), 2);") != std::string::npos;
    const bool second = wrong.at("test/a.js").find("assert.equal(f(), 1);") != std::string::npos;
    EXPECT_NE(first, second);
    seen.insert(wrong.at("test/a.js"));
  }
  EXPECT_GT(seen.size(), 10U);
  EXPECT_EQ(wrong_tests(files, 5), wrong_tests(files, 5));
}

TEST(Challenge, MakesEveryKindWrongAndOneOfEachTest) {
  std::string text;
  for (int i = 0; i < 30; ++i) {
    text +=
        "it('" + std::to_string(i) + "', () => { expect(f()).toBe(x); expect(g()).toBe(x); });\n";
  }
  text += "it('rare', () => { assert.throws(f); });\nassert(loose);\n";
  for (std::uint64_t draw = 0; draw < 50; ++draw) {
    const std::string wrong = wrong_tests({{"a.test.js", text}}, draw).at("a.test.js");
    EXPECT_THAT(wrong, HasSubstr("assert.throws(() => {});")) << "the only one of its kind";
    EXPECT_THAT(wrong, HasSubstr("assert(loose);")) << "it may end the file";
    std::size_t changed = 0;
    for (std::size_t at = wrong.find(".not."); at != wrong.npos; at = wrong.find(".not.", at + 1)) {
      ++changed;
    }
    EXPECT_EQ(changed, 7U) << "at most eight of a file";
    EXPECT_THAT(wrong, testing::Not(testing::ContainsRegex("not.toBe[^\n]*not.toBe"))) << wrong;
  }
}

TEST(Challenge, AddsErrorsOfTypesAtTheEnds) {
  std::vector<File> files;
  for (int i = 0; i < 20; ++i)
    files.push_back({"src/a" + std::to_string(i) + ".ts", "export {};\n"});
  const WrongTypes wrong = wrong_types(files, 3);
  EXPECT_THAT(wrong.files, SizeIs(kMaxTypeFiles));
  ASSERT_THAT(wrong.names, SizeIs(kMaxTypeFiles));
  std::string all;
  for (const auto& [path, text] : wrong.files) {
    EXPECT_TRUE(text.starts_with("export {};\n\nexport const ")) << text;
    all += text;
  }
  for (const std::string& name : wrong.names)
    EXPECT_THAT(all, HasSubstr("{ " + name + ": string }"));
  const WrongTypes script = wrong_types({{"a.ts", "var a = 1;\n"}}, 3);
  EXPECT_THAT(script.files.at("a.ts"), testing::StartsWith("var a = 1;\n\nconst "));
}

}  // namespace
}  // namespace cg::challenge
