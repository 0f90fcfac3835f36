#include "npm/semver/range.h"

#include <gtest/gtest.h>

#include "base/base/text.h"
#include "npm/semver/range_text.h"
#include "npm/semver/subset.h"

namespace cg::semver {
namespace {

constexpr Options kLoose{.loose = true};
constexpr Options kPrereleases{.include_prerelease = true};

std::string spelled(std::string_view text, const Options& options = {}) {
  const auto range = Range::parse(text, options);
  if (!range) return "refused";
  return range->str().empty() ? "*" : range->str();
}

bool satisfied(std::string_view version, std::string_view range, const Options& options = {}) {
  return satisfies(*Version::parse(version, options), *Range::parse(range, options));
}

// NPM trap 36.
TEST(Range, AdvisoriesMatchPrereleasesOnlyWhenAsked) {
  EXPECT_TRUE(satisfied("4.17.19-rc.1", "<4.17.19", kPrereleases));
  EXPECT_FALSE(satisfied("4.17.19-rc.1", "<4.17.19"));
  EXPECT_TRUE(satisfied("2.0.0-alpha", ">=1.0.0 <2.0.0", kPrereleases));
  EXPECT_FALSE(satisfied("2.0.0-alpha", ">=1.0.0 <2.0.0-0", kPrereleases));
  EXPECT_TRUE(satisfied("1.5.0-beta", ">=1.0.0 <2.0.0 || >=3.0.0", kPrereleases));
  EXPECT_TRUE(satisfied("0.0.0-0", "*", kPrereleases));
  EXPECT_FALSE(satisfied("0.0.0-0", "*"));
}

// NPM trap 37.
TEST(Range, ChoosingVersionsAdmitsPrereleasesOfTheNamedVersionOnly) {
  EXPECT_TRUE(satisfied("1.0.0-alpha.3", "^1.0.0-alpha.2"));
  EXPECT_FALSE(satisfied("1.0.0-alpha.1", "^1.0.0-alpha.2"));
  EXPECT_FALSE(satisfied("1.0.1-alpha", "^1.0.0-alpha.2"));
  EXPECT_TRUE(satisfied("1.0.1", "^1.0.0-alpha.2"));
  EXPECT_FALSE(satisfied("2.0.0-alpha", "^1.0.0-alpha.2"));
  // The prerelease must be named in the same alternative.
  EXPECT_FALSE(satisfied("2.0.0-b", "^1.0.0-a || >=2.0.0-0 <2.0.0-a"));
  EXPECT_TRUE(satisfied("2.0.0-A", "^1.0.0-a || >=2.0.0-0 <2.0.0-a"));
}

// NPM trap 38.
TEST(Range, CaretBelowOneHoldsTheFirstNumberThatIsNotZero) {
  EXPECT_EQ(spelled("^0.2.3"), ">=0.2.3 <0.3.0-0");
  EXPECT_EQ(spelled("^0.0.3"), ">=0.0.3 <0.0.4-0");
  EXPECT_EQ(spelled("^0.0"), "<0.1.0-0");
  EXPECT_EQ(spelled("^0"), "<1.0.0-0");
  EXPECT_EQ(spelled("^0.0.0"), "<0.0.1-0");
  EXPECT_EQ(spelled("^0.x"), "<1.0.0-0");
  EXPECT_EQ(spelled("^1.2.3"), ">=1.2.3 <2.0.0-0");
  EXPECT_FALSE(satisfied("0.3.0", "^0.2.3"));
  EXPECT_FALSE(satisfied("0.0.4", "^0.0.3"));
  EXPECT_FALSE(satisfied("0.3.0-0", "^0.2.3", kPrereleases));
}

// NPM trap 39.
TEST(Range, TheWholeGrammar) {
  const struct {
    std::string text;
    std::string strict;
    std::string loose;
  } cases[] = {
      {"*", "*", "*"},
      {"", "*", "*"},
      {"  ", "*", "*"},
      {"x", "*", "*"},
      {"X.x.*", "*", "*"},
      {"||", "*", "*"},
      {"1 ||", "*", "*"},
      {"1.2.3||2.0.0", "1.2.3||2.0.0", "1.2.3||2.0.0"},
      {"1 - 2", ">=1.0.0 <3.0.0-0", ">=1.0.0 <3.0.0-0"},
      {"1.2.3 - 2.3.4", ">=1.2.3 <=2.3.4", ">=1.2.3 <=2.3.4"},
      {"1.2.3-2.3.4", "1.2.3-2.3.4", "1.2.3-2.3.4"},
      {"* - 2", "<3.0.0-0", "<3.0.0-0"},
      {"1 - *", ">=1.0.0", ">=1.0.0"},
      {"v1.2.3", "1.2.3", "1.2.3"},
      {"=1.2.3+build.7", "1.2.3", "1.2.3"},
      {"== 1.2.3", "refused", "1.2.3"},
      {"~>1.2", ">=1.2.0 <1.3.0-0", ">=1.2.0 <1.3.0-0"},
      {"~> 1.2.3 <1.2.9", ">=1.2.3 <1.3.0-0 <1.2.9", ">=1.2.3 <1.3.0-0 <1.2.9"},
      {">\t1.2.3", ">1.2.3", ">1.2.3"},
      {">=1.2.3 >=1.2.3", ">=1.2.3", ">=1.2.3"},
      {">1.x", ">=2.0.0", ">=2.0.0"},
      {"<=1.2.x", "<1.3.0-0", "<1.3.0-0"},
      {"<x", "<0.0.0-0", "<0.0.0-0"},
      {"1.2.3beta", "refused", "1.2.3-beta"},
      {"1.2.3 blerg", "refused", "1.2.3"},
      {"blerg", "refused", "refused"},
      {"blerg || 1.2.3", "refused", "1.2.3"},
      {"latest", "refused", "refused"},
      {"1.2.3*", "1.2.3", "1.2.3"},
      {"**", "refused", "refused"},
      {"1.x.3", "refused", "refused"},
      {"^1.x.3", ">=1.0.0 <2.0.0-0", ">=1.0.0 <2.0.0-0"},
      {"|", "refused", "refused"},
      {"^9007199254740991", "refused", "refused"},
      {">9007199254740990", ">=9007199254740991.0.0", ">=9007199254740991.0.0"},
      // From 1e21 on JavaScript writes an exponent, which loose drops like other noise.
      {"1.2.3 >1000000000000000000000", "refused", "1.2.3"},
      {"1.2.3 >100000000000000000000", "refused", "refused"},
      {"<=1.9999999999999939999999", "refused", "<1.9.99999999999994-e"},
      {"^00.1.2", "refused", ">=0.1.2 <1.0.0-0"},
      {"^1.2.34.5", "refused", ">=1.2.3-4.5 <2.0.0-0"},
      {"file:../x", "refused", "refused"},
      {"npm:a@1.2.3", "refused", "refused"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(spelled(c.text), c.strict);
    EXPECT_EQ(spelled(c.text, kLoose), c.loose);
  }
}

TEST(Range, BuildsDoNotCount) {
  EXPECT_TRUE(satisfied("1.2.3+a", "1.2.3+b"));
  EXPECT_TRUE(satisfied("1.2.3+a", ">=1.2.3 <=1.2.3"));
  EXPECT_FALSE(satisfied("1.2.3+a", ">1.2.3"));
}

TEST(Range, IncludingPrereleasesLowersTheBoundsThatWereNotWritten) {
  EXPECT_EQ(spelled("1.2", kPrereleases), ">=1.2.0-0 <1.3.0-0");
  EXPECT_EQ(spelled("^1.2", kPrereleases), ">=1.2.0-0 <2.0.0-0");
  EXPECT_EQ(spelled("^1.2.3", kPrereleases), ">=1.2.3 <2.0.0-0");
  EXPECT_EQ(spelled("1.2.3 - 2.3.4", kPrereleases), ">=1.2.3-0 <2.3.5-0");
  EXPECT_EQ(spelled(">=0.0.0", kPrereleases), ">=0.0.0");
  EXPECT_EQ(spelled(">=0.0.0-0", kPrereleases), "*");
}

TEST(Range, RefusesWhatIsTooMuch) {
  const auto error = [](const std::string& text) {
    const auto range = Range::parse(text, kLoose);
    return range ? std::nullopt : std::optional(range.error());
  };
  const auto repeated = [](std::size_t count, const std::string& separator) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) out += "1.2." + std::to_string(i) + separator;
    return out + "0.0.0";
  };
  EXPECT_EQ(error(std::string(kMaxRangeBytes + 1, ' ')), Error::too_long);
  EXPECT_EQ(error(std::string(kMaxRangeBytes, ' ')), std::nullopt);
  EXPECT_EQ(error(repeated(255, " ")), std::nullopt);
  EXPECT_EQ(error(repeated(256, " ")), Error::too_many_comparators);
  EXPECT_EQ(error(repeated(4095, "||")), std::nullopt);
  EXPECT_EQ(error(repeated(4096, "||")), Error::too_many_comparators);
  // One character more, and it is no version at any length, which loose mode drops.
  EXPECT_EQ(error("1.0.0 >=1.2.3-" + std::string(251, 'a')), Error::too_long);
  EXPECT_EQ(error("1.0.0 >=1.2.3-" + std::string(252, 'a')), std::nullopt);
}

TEST(Range, TakesLongNoiseInItsStride) {
  for (const std::string_view unit : {"=", "v", "< ", "=v ", "~ ", "^", "+a ", "|", "1", "x=", "1.",
                                      "-", "*", " \xC2\xA0", "1.1.1-a ", "<=x ", "+"}) {
    std::string text;
    while (text.size() + unit.size() <= kMaxRangeBytes) text += unit;
    SCOPED_TRACE(unit);
    for (const Options& options : {Options{}, kLoose}) {
      const auto range = Range::parse(text, options);
      if (range) {
        EXPECT_EQ(Range::parse(range->str(), options)->str(), range->str());
      }
    }
  }
}

TEST(Range, FindsTheBestOfAListAndTheFirstOfEquals) {
  std::vector<Version> versions;
  for (const std::string_view text : {"1.2.3+a", "1.2.4-rc", "1.2.3+b", "1.1.0+a", "1.1.0+b"}) {
    versions.push_back(*Version::parse(text));
  }
  const Range range = *Range::parse("1.x");
  EXPECT_EQ(max_satisfying(versions, range), &versions[0]);
  EXPECT_EQ(min_satisfying(versions, range), &versions[3]);
  EXPECT_EQ(max_satisfying(versions, *Range::parse("2")), nullptr);
  EXPECT_EQ(max_satisfying(versions, *Range::parse("1.x", kPrereleases)), &versions[1]);
  EXPECT_EQ(min_satisfying({}, range), nullptr);
}

TEST(MinVersion, IsTheLeastThatFits) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"*", "0.0.0"},
      {"^1.2", "1.2.0"},
      {">1.2.3", "1.2.4"},
      {">1.2.3-a", "1.2.3-a.0"},
      {"<0.0.0-5", "0.0.0-0"},
      {">=2 || 1.5.x", "1.5.0"},
      {">2 <1", "none"},
      {"<x", "none"},
      {">0.0.9007199254740991", "none"},
  };
  for (const auto& [range, expected] : cases) {
    const auto version = min_version(*Range::parse(range));
    EXPECT_EQ(version ? version->str() : "none", expected) << range;
  }
}

TEST(Subset, OfOneAlternative) {
  const struct {
    std::string_view sub;
    std::string_view dom;
    bool expected;
  } cases[] = {
      {"1.2.3", "1.2.3", true},
      {"1.2.3", "^1.2.0", true},
      {"^1.2.3", "^1.2.0", true},
      {"^1", "^1.2.0", false},
      {"1 || 2", ">=1 <3", true},
      {">=1 <3", "1 || 2", false},
      {"*", ">=0.0.0", true},
      {">=1.2.3-pre", ">=1.0.0", false},
      {">2 <1", "3", true},
      {"<1.2.3-0", "<1.2.3", true},
      {"1.0.0 2.0.0 || 3.0.0 4.0.0", "1.0.0 2.0.0", false},  // node knows the first again
      {"1.0.0 2.0.0 || 3.0.0 4.0.0", "5.0.0", true},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(subset(*Range::parse(c.sub), *Range::parse(c.dom)), c.expected)
        << c.sub << " of " << c.dom;
  }
}

TEST(Outside, SeesTheSideAndTheGaps) {
  const auto outside = [](std::string_view version, std::string_view range, Side side) {
    return is_outside(*Version::parse(version), *Range::parse(range), side);
  };
  EXPECT_TRUE(outside("2.0.0", "^1.2.3", Side::above));
  EXPECT_FALSE(outside("2.0.0", "^1.2.3", Side::below));
  EXPECT_TRUE(outside("1.0.0", "^1.2.3 || 3", Side::below));
  EXPECT_FALSE(outside("2.0.0", "^1.2.3 || 3", Side::above));
  EXPECT_FALSE(outside("2.0.0", "^1.2.3 || 3", Side::below));
  EXPECT_FALSE(outside("1.0.0-a", "*", Side::above));
}

TEST(RangeText, IsMadeReady) {
  EXPECT_EQ(collapse_spaces("  >  1 \t\xC2\xA0 <2 "), "> 1 <2");
  for (const std::string_view text : {"", "1", "> 1 <2"}) EXPECT_TRUE(is_collapsed(text)) << text;
  for (const std::string_view text : {" ", " 1", "1 ", "1  2", "1\t2", "1\xC2\xA0"}) {
    EXPECT_FALSE(is_collapsed(text)) << text;
  }
  EXPECT_EQ(strip_builds("1.2.3+a.b-c <2+7 ++ +x.+y 1+."), "1.2.3 <2 ++ . 1+.");
  EXPECT_EQ(attach_operators("> 1 <= 2 ~ 3 ~> 4 ^ 5"), ">1 <=2 ~3 ~>4 ^5");
  EXPECT_TRUE(is_attached(">=1 <2 ~>3 v 4 - 5 || ^6"));
  for (const std::string_view text : {"> 1", ">= 1", "~ 1", "~> 1", "^ 1", "1  2", "= 1"}) {
    EXPECT_FALSE(is_attached(text)) << text;
  }
  EXPECT_EQ(attach_operators("== 1 v= 2 >= v 3"), "== 1 v= 2 >=v 3");
}

}  // namespace
}  // namespace cg::semver
