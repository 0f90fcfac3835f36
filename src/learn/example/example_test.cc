#include "learn/example/example.h"

#include <gtest/gtest.h>

namespace cg::example {
namespace {

Example sample() {
  Example out;
  out.partition = {"vuln-remediation", "javascript", "npm"};
  out.advisory = "GHSA-xxxx-xxxx-0001";
  out.aliases = {"CVE-2024-0001"};
  out.weaknesses = {"CWE-79"};
  out.package = "tinysession";
  out.from = "1.4.2";
  out.to = "2.0.0";
  out.breaks = Break::name_gone;
  out.changed = {"open"};
  out.summary = "Session ids can be guessed";
  out.difference = "removed: open(id)\nadded: Session.load(id)";
  out.kind = "callsite_rewrite";
  out.plan = "--- a/a.js\n+++ b/a.js\n@@ -1 +1 @@\n-s.open(1)\n+s.Session.load(1)\n";
  out.sites = {{"javascript", "s.open(1)", "s.Session.load(1)"}};
  out.templates = {R"({"rules":[]})"};
  out.gates = {{"tests", "passed", "named"}};
  out.isolation = "namespaces";
  out.model = "a-model";
  out.prompt.fill(7);
  out.license = "MIT";
  out.workflow = "01J0000000000000000000000A";
  return out;
}

std::string complaint(std::string_view json) {
  const auto read = parse(json);
  return read ? "" : read.error();
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(Example, ReadsBackWhatWasWritten) {
  const auto read = parse(write(sample()));
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(*read, sample());
  EXPECT_EQ(id_of(*read), id_of(sample()));
  EXPECT_EQ(id_of(*read).size(), 28U);
}

TEST(Example, HasAnotherIdWithAnyOtherContent) {
  Example other = sample();
  other.sites.front().after += " ";
  EXPECT_NE(id_of(other), id_of(sample()));
  other = sample();
  other.templates.clear();
  EXPECT_NE(id_of(other), id_of(sample()));
  other = sample();
  other.worked = false;
  EXPECT_NE(id_of(other), id_of(sample()));
}

TEST(Example, RefusesWhatItDoesNotKnow) {
  const std::string text = write(sample());
  EXPECT_EQ(complaint(replaced(text, "\"worked\":true", "\"worked\":1")),
            "worked is neither true nor false");
  EXPECT_EQ(complaint(replaced(text, "\"worked\":true", "\"worked\":true,\"x\":1")),
            "it has a key that is not known");
  EXPECT_EQ(complaint(replaced(text, "\"license\":\"MIT\",", "")), "license is missing");
  EXPECT_EQ(complaint(replaced(text, "name_gone", "name_lost")),
            "breaks is none of the known words");
  EXPECT_EQ(complaint(replaced(text, "[\"CWE-79\"]", "\"CWE-79\"")), "weaknesses is no list");
  EXPECT_EQ(complaint(replaced(text, "0707", "07zz")), "prompt is no digest");
  EXPECT_EQ(complaint(" " + text), "it is not canonical");
  EXPECT_NE(complaint(text.substr(0, text.size() / 2)), "");
  EXPECT_NE(complaint(""), "");
}

TEST(Example, RefusesWhatIsTooLong) {
  Example one = sample();
  one.sites.front().before.assign(20'000, 'x');
  EXPECT_EQ(complaint(write(one)), "sites[0].before is longer than 16384 bytes");
  one = sample();
  one.templates.assign(1, std::string(33'000, 'x'));
  EXPECT_EQ(complaint(write(one)), "templates[0] is longer than 32768 bytes");
  one = sample();
  one.changed.assign(257, "x");
  EXPECT_EQ(complaint(write(one)), "changed has more than 256 items");
  one = sample();
  one.sites.assign(200, {"javascript", std::string(2000, 'x'), ""});
  EXPECT_NE(complaint(write(one)), "");
}

TEST(Example, TellsAnEmbedderNothingOfTheSolution) {
  const Aspects aspects = aspects_of(sample());
  EXPECT_EQ(aspects.usage, "s.open(1)\n");
  EXPECT_EQ(aspects.summary, sample().summary);
  EXPECT_EQ(aspects.difference, sample().difference);
}

}  // namespace
}  // namespace cg::example
