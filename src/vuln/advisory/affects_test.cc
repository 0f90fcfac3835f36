#include "vuln/advisory/affects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/base/text.h"
#include "vuln/advisory/rule.h"

namespace cg::advisory {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

semver::Version version(std::string_view text) {
  auto parsed = parse_bound(text);
  EXPECT_TRUE(parsed) << text;
  return *std::move(parsed);
}

VersionKey key(std::string_view text) { return VersionKey(version(text)); }

/// "+0 -1.2.0 =2.0.0 |3.0.0": introduced, fixed, last affected, limit.
Range range(std::string_view text) {
  Range out;
  for (const std::string_view word : split(text, ' ')) {
    const auto kind = word[0] == '+'   ? Event::Kind::introduced
                      : word[0] == '-' ? Event::Kind::fixed
                      : word[0] == '=' ? Event::Kind::last_affected
                                       : Event::Kind::limit;
    out.push_back({kind, version(word.substr(1))});
  }
  return out;
}

/// "[0.0.0-0,1.2.0)" and so on.
std::vector<std::string> shown(const Range& events) {
  std::vector<std::string> out;
  for (const Interval& interval : intervals_of(events)) {
    std::string text = "[" + interval.from.text() + ",";
    if (interval.to) text += interval.to->text();
    text += interval.end == IntervalEnd::last_affected ? "]" : ")";
    if (interval.end == IntervalEnd::limit) text += "limit";
    out.push_back(text);
  }
  return out;
}

Advisory advisory_of(const std::vector<Range>& ranges,
                     const std::vector<std::string_view>& versions = {}) {
  Advisory advisory;
  advisory.id = "GHSA-test";
  Affected affected;
  affected.package = "p";
  affected.ranges = ranges;
  for (const std::string_view text : versions) affected.versions.push_back(version(text));
  advisory.affected.push_back(affected);
  return advisory;
}

TEST(Affects, EventsBecomeIntervals) {
  EXPECT_THAT(shown(range("+0")), ElementsAre("[0.0.0-0,)"));
  EXPECT_THAT(shown(range("+0 -1.2.0")), ElementsAre("[0.0.0-0,1.2.0)"));
  EXPECT_THAT(shown(range("+1.0.0 =1.2.0")), ElementsAre("[1.0.0,1.2.0]"));
  EXPECT_THAT(shown(range("+1.0.0 -1.5.0 +2.0.0 -2.5.0")),
              ElementsAre("[1.0.0,1.5.0)", "[2.0.0,2.5.0)"));
  EXPECT_THAT(shown(range("-2.5.0 +2.0.0 -1.5.0 +1.0.0")),
              ElementsAre("[1.0.0,1.5.0)", "[2.0.0,2.5.0)"))
      << "the order of events does not count";
  EXPECT_THAT(shown(range("+1.0.0 +1.1.0 -1.5.0 -1.6.0")), ElementsAre("[1.0.0,1.5.0)"));
  EXPECT_THAT(shown(range("-1.5.0")), IsEmpty());
  EXPECT_THAT(shown(range("+1.0.0 =1.0.0")), ElementsAre("[1.0.0,1.0.0]"));
  EXPECT_THAT(shown(range("+1.0.0 -1.0.0")), ElementsAre("[1.0.0,1.0.0)"));
  EXPECT_THAT(shown(range("+0 -1.0.0 +1.0.0 -2.0.0")),
              ElementsAre("[0.0.0-0,1.0.0)", "[1.0.0,2.0.0)"));
}

TEST(Affects, LimitsCut) {
  EXPECT_THAT(shown(range("+1.0.0 |2.0.0")), ElementsAre("[1.0.0,2.0.0)limit"));
  EXPECT_THAT(shown(range("+1.0.0 -1.5.0 |2.0.0")), ElementsAre("[1.0.0,1.5.0)"));
  EXPECT_THAT(shown(range("+1.0.0 -3.0.0 |2.0.0")), ElementsAre("[1.0.0,2.0.0)limit"));
  EXPECT_THAT(shown(range("+1.0.0 =2.0.0 |2.0.0")), ElementsAre("[1.0.0,2.0.0)limit"));
  EXPECT_THAT(shown(range("+1.0.0 -2.0.0 |2.0.0")), ElementsAre("[1.0.0,2.0.0)"));
  EXPECT_THAT(shown(range("+3.0.0 |2.0.0")), IsEmpty());
  EXPECT_THAT(shown(range("+1.0.0 |2.0.0 |4.0.0")), ElementsAre("[1.0.0,4.0.0)limit"));
}

TEST(Affects, PrereleasesCountLikeAnyVersion) {
  const PackageRule rule = rules_of(advisory_of({range("+4.0.0 -4.17.19")})).at("p");
  EXPECT_TRUE(evaluate(rule, key("4.17.19-rc.1")));
  EXPECT_FALSE(evaluate(rule, key("4.17.19")));
  EXPECT_FALSE(evaluate(rule, key("4.0.0-beta")));
  EXPECT_TRUE(evaluate(rule, key("4.0.0+build")));
}

TEST(Affects, SaysWhichIntervalAndWhichFix) {
  const Advisory advisory =
      advisory_of({range("+2.0.0 -2.5.0"), range("+1.0.0 -1.5.0"), range("+3.0.0 =3.1.0")});
  const PackageRule rule = rules_of(advisory).at("p");
  ASSERT_TRUE(evaluate(rule, key("2.1.0")));
  EXPECT_EQ(evaluate(rule, key("2.1.0"))->fixed_in, key("2.5.0"));
  EXPECT_EQ(evaluate(rule, key("1.1.0"))->interval, 0U);
  EXPECT_EQ(evaluate(rule, key("1.1.0"))->fixed_in, key("1.5.0"));
  EXPECT_EQ(evaluate(rule, key("3.1.0"))->fixed_in, std::nullopt);
  EXPECT_FALSE(evaluate(rule, key("3.1.1")));
  EXPECT_THAT(rule.fixed, ElementsAre(key("1.5.0"), key("2.5.0")));
}

TEST(Affects, OfSeveralCoveringIntervalsTheLowestFixIsNamed) {
  const Advisory advisory = advisory_of({range("+0"), range("+0 -3.0.0"), range("+1.0.0 -2.0.0")});
  const PackageRule rule = rules_of(advisory).at("p");
  EXPECT_EQ(evaluate(rule, key("1.5.0"))->fixed_in, key("2.0.0"));
  EXPECT_EQ(evaluate(rule, key("2.5.0"))->fixed_in, key("3.0.0"));
  EXPECT_EQ(evaluate(rule, key("3.5.0"))->fixed_in, std::nullopt);
}

TEST(Affects, ListedVersionsMatchExactly) {
  const PackageRule rule = rules_of(advisory_of({}, {"1.2.3", "1.2.5-beta"})).at("p");
  EXPECT_TRUE(evaluate(rule, key("1.2.3"))->listed);
  EXPECT_TRUE(evaluate(rule, key("1.2.5-beta")));
  EXPECT_FALSE(evaluate(rule, key("1.2.4")));
  EXPECT_FALSE(evaluate(rule, key("1.2.5")));
}

TEST(Affects, SeveralEntriesOfOnePackageAreOneRule) {
  Advisory advisory = advisory_of({range("+1.0.0 -1.5.0")});
  Affected more = advisory.affected[0];
  more.ranges = {range("+2.0.0 -2.5.0")};
  advisory.affected.push_back(more);
  more.package = "q";
  advisory.affected.push_back(more);
  const auto rules = rules_of(advisory);
  EXPECT_EQ(rules.size(), 2U);
  EXPECT_EQ(rules.at("p").intervals.size(), 2U);
  EXPECT_EQ(rules.at("q").intervals.size(), 1U);
}

TEST(Bound, IsReadAsAdvisoriesWriteIt) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"0", "0.0.0-0"},
      {"1", "1.0.0"},
      {"1.2", "1.2.0"},
      {"1.2.3", "1.2.3"},
      {"v1.2.3", "1.2.3"},
      {"8.0.0-rc0", "8.0.0-rc0"},
      {"1.2-beta", "1.2.0-beta"},
      {"2025.08.14", "2025.8.14"},
      {"20200315", "20200315.0.0"},
      {"0.95", "0.95.0"},
      {"1.2.3beta", "1.2.3-beta"},
      {"= 1.2", "1.2.0"},
  };
  for (const auto& [text, meant] : cases) {
    const auto parsed = parse_bound(text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(parsed->str(), meant) << text;
  }
  for (const std::string_view text :
       {"", "*", "latest", "1.2.3.4", "1.2.34.5", "1..2", "-1", "vv"}) {
    EXPECT_FALSE(parse_bound(text)) << text;
  }
  EXPECT_FALSE(parse_bound(std::string(300, '1')));
}

TEST(VersionKey, BytesSortAsVersionsDo) {
  const std::string_view ascending[] = {
      "0.0.0-0",       "0.0.0-1",    "0.0.0-a",      "0.0.0",         "0.0.1",
      "0.1.0",         "1.0.0-0",    "1.0.0-0.0",    "1.0.0-2",       "1.0.0-10",
      "1.0.0-10.a",    "1.0.0--",    "1.0.0-alpha",  "1.0.0-alpha.1", "1.0.0-alpha.beta",
      "1.0.0-alpha-1", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1",
      "1.0.0",         "1.0.255",    "1.0.256",      "1.255.0",       "1.256.0",
      "255.0.0",       "256.0.0",    "65535.0.0",    "65536.0.0",     "9007199254740991.0.0",
  };
  for (std::size_t i = 0; i < std::size(ascending); ++i) {
    EXPECT_EQ(key(ascending[i]).text(), ascending[i]);
    for (std::size_t j = 0; j < std::size(ascending); ++j) {
      EXPECT_EQ(key(ascending[i]) < key(ascending[j]), i < j)
          << ascending[i] << " " << ascending[j];
      EXPECT_EQ(version(ascending[i]) < version(ascending[j]), i < j);
    }
  }
  EXPECT_EQ(key("1.2.3+a"), key("1.2.3+b"));
}

/// A version of few letters and digits, so that neighbours are common.
std::string random_version(std::mt19937& random) {
  const auto pick = [&](std::string_view from) { return from[random() % from.size()]; };
  std::string text;
  for (int i = 0; i < 3; ++i) {
    text += i == 0 ? "" : ".";
    text += std::to_string(random() % 4 == 0 ? random() % 1000 : random() % 3);
  }
  for (std::size_t i = 0, parts = random() % 4; i < parts; ++i) {
    text += i == 0 ? '-' : '.';
    if (random() % 2 == 0) {
      text += std::to_string(random() % 300);
    } else {
      for (std::size_t n = 1 + random() % 3; n > 0; --n) text += pick("aZ-0");
      text += 'b';  // never digits alone
    }
  }
  return text;
}

TEST(VersionKey, AgreesWithVersionOnRandomPairs) {
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    const std::string a = random_version(random);
    const std::string b = random_version(random);
    const auto by_bytes = key(a) <=> key(b);
    const auto by_version = version(a).compare(version(b)) <=> 0;
    EXPECT_TRUE((by_bytes < 0) == (by_version < 0) && (by_bytes > 0) == (by_version > 0))
        << a << " " << b;
    EXPECT_EQ(key(a).text(), version(a).str());
    EXPECT_TRUE(VersionKey::parse(key(a).bytes()));
  }
}

}  // namespace
}  // namespace cg::advisory
