#include "flow/precedent/lesson.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flow/precedent/precedents.h"
#include "flow/precedent/samples_test.h"
#include "learn/carry/carry.h"

namespace cg::precedent {
namespace {

using test::breaking;
using test::kFiles;
using test::kRewritten;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(Lesson, SaysWhatBreaksAndNothingOfTheAnswer) {
  const example::Example out = lesson_of(breaking());
  EXPECT_EQ(out.partition, (example::Partition{"vuln-remediation", "javascript", "pnpm"}));
  EXPECT_EQ(out.advisory, "GHSA-aaaa-bbbb-cccc");
  EXPECT_THAT(out.aliases, ElementsAre("CVE-2026-1", "CVE-2026-2", "GHSA-dddd-eeee-ffff"));
  EXPECT_THAT(out.weaknesses, ElementsAre("CWE-330"));
  EXPECT_THAT(out.changed, ElementsAre("open"));
  ASSERT_EQ(out.sites.size(), 2U) << "the import, and the function around the call";
  EXPECT_EQ(out.sites[1].before,
            "exports.start = (name) => {\n  const opened = session.open(name);\n"
            "  return opened.id;\n};");
  for (const example::Site& site : out.sites) EXPECT_EQ(site.after, "");
  EXPECT_THAT(out.templates, IsEmpty());
  EXPECT_TRUE(example::parse(example::write(out)));
}

TEST(Lesson, AnAnswerBringsWhatBecameOfEachFunctionAndAPattern) {
  example::Example out = lesson_of(breaking());
  add_answer(out, {"callsite_rewrite", "--- a/src/a.js\n", kRewritten, example::Author::model, "m"},
             kFiles);
  ASSERT_EQ(out.sites.size(), 2U);
  EXPECT_THAT(out.sites[1].after, HasSubstr("session.openSession(name)"));
  ASSERT_EQ(out.templates.size(), 1U);
  const auto pattern = carry::parse(out.templates.front());
  ASSERT_TRUE(pattern) << out.templates.front();
  const auto api = exports::read_files({{"package.json", R"({"name": "tinysession"})"},
                                        {"index.js", "exports.openSession = (name) => ({});"}});
  ASSERT_TRUE(api);
  const auto carried = carry::apply(*pattern,
                                    {"const s = require('tinysession');\nfunction f(who) { const o "
                                     "= s.open(who); return o.id; }\n",
                                     syntax::Language::javascript, "tinysession"},
                                    &*api);
  ASSERT_TRUE(carried) << carry::describe(carried.error());
  EXPECT_EQ(*carried,
            "const s = require('tinysession');\n"
            "function f(who) { const o = s.openSession(who); return o.id; }\n");
  EXPECT_TRUE(example::parse(example::write(out)));
}

TEST(Lesson, HoldsNoSecretOfTheRepository) {
  Breaking one = breaking();
  const std::string token = "ghp_" + std::string(36, 'a');
  one.files = {{"a.js", "const s = require('tinysession');\nf(() => s.open('" + token + "'));\n"}};
  one.difference = "see " + token;
  example::Example out = lesson_of(one);
  add_answer(out, {"callsite_rewrite", "+" + token, {}, example::Author::person, ""}, one.files);
  EXPECT_THAT(example::write(out), Not(HasSubstr(token)));
}

TEST(Lesson, OfHugeFilesIsBounded) {
  Breaking one = breaking();
  one.files.clear();
  std::string text = "const s = require('tinysession');\n";
  for (int i = 0; i < 2000; ++i) {
    text +=
        "function f" + std::to_string(i) + "() { return s.open(" + std::string(100, '1') + "); }\n";
  }
  for (int i = 0; i < 20; ++i) one.files["src/" + std::to_string(i) + ".js"] = text;
  one.difference.assign(1U << 20U, 'x');
  EXPECT_TRUE(example::parse(example::write(lesson_of(one))));
}

TEST(Precedents, OneStepAcrossABreakIsLikeAnother) {
  example::Example a = lesson_of(breaking());
  example::Example b = a;
  b.from = "1.9.9";
  b.to = "2.4.0";
  EXPECT_TRUE(is_same_step(a, b));
  b.to = "3.0.0";
  EXPECT_FALSE(is_same_step(a, b));
  b = a;
  b.package = "tinysession2";
  EXPECT_FALSE(is_same_step(a, b));
  a.from = b.from = "0.3.0";
  a.to = "0.4.0";
  b = a;
  b.to = "0.5.0";
  EXPECT_FALSE(is_same_step(a, b)) << "below 1.0.0 each minor version may break";
}

TEST(Precedents, WhatAModelIsShownFitsItsKind) {
  example::Example one = lesson_of(breaking());
  one.difference.assign(60'000, 'x');
  EXPECT_LE(text_of(one).size(), cap_of(SourceKind::rag_retrieved));
  EXPECT_THAT(text_of(one), HasSubstr("tinysession 1.2.0 -> 2.0.0"));
}

}  // namespace
}  // namespace cg::precedent
