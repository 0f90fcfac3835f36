#include "npm/semver/version.h"

#include <gtest/gtest.h>

#include "base/base/text.h"
#include "npm/semver/scan.h"

namespace cg::semver {
namespace {

constexpr Options kLooseVersion{.loose = true};

std::optional<Error> error_of(const Result<Version, Error>& version) {
  return version ? std::nullopt : std::optional(version.error());
}

TEST(Version, ReadsWhatNpmReads) {
  const struct {
    std::string text;
    std::string strict;  // the canonical spelling, empty if refused
    std::string loose;
  } cases[] = {
      {"1.2.3", "1.2.3", "1.2.3"},
      {"v1.2.3", "1.2.3", "1.2.3"},
      {" \t1.2.3\n", "1.2.3", "1.2.3"},
      {"\xC2\xA0"
       "1.2.3\xEF\xBB\xBF",
       "1.2.3", "1.2.3"},
      {"1.2.3-alpha.1+b.7", "1.2.3-alpha.1", "1.2.3-alpha.1"},
      {"1.2.3--", "1.2.3--", "1.2.3--"},
      {"1.2.3-0a", "1.2.3-0a", "1.2.3-0a"},
      {"9007199254740991.0.0", "9007199254740991.0.0", "9007199254740991.0.0"},
      {"= v1.2.3", "", "1.2.3"},
      {"vv1.2.3", "", "1.2.3"},
      {"01.02.03", "", "1.2.3"},
      {"1.2.3beta", "", "1.2.3-beta"},
      {"1.2.3-01", "", "1.2.3-1"},
      {"1.2.3-", "", "1.2.3--"},
      {"1.2.34.5", "", "1.2.3-4.5"},
      {"1.2.3-009007199254740991", "", "1.2.3-009007199254740991"},
      {"1.2.3.4", "", ""},
      {"1.2", "", ""},
      {"", "", ""},
      {"1.2.3 4", "", ""},
      {"1.2.3-a..b", "", ""},
      {"1.2.3+", "", ""},
      {"1.2.3+a+b", "", ""},
      {"1.2.x", "", ""},
      {"-1.2.3", "", ""},
      {"9007199254740992.0.0", "", ""},
      {"1.2.99999999999999999999", "", ""},
      {std::string("1.2.3\0", 6), "", ""},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(printable(c.text));
    const auto strict = Version::parse(c.text);
    const auto loose = Version::parse(c.text, kLooseVersion);
    EXPECT_EQ(strict ? strict->str() : "", c.strict);
    EXPECT_EQ(loose ? loose->str() : "", c.loose);
    if (strict) {
      EXPECT_EQ(strict->raw(), c.text);
    }
    if (loose) {
      EXPECT_EQ(loose->raw(), c.text);
    }
  }
}

TEST(Version, SaysWhyItIsRefused) {
  EXPECT_EQ(error_of(Version::parse("1.2")), Error::malformed);
  EXPECT_EQ(error_of(Version::parse("1.2.9007199254740992")), Error::number_too_large);
  EXPECT_EQ(error_of(Version::parse("1.2.3-" + std::string(250, 'a'))), std::nullopt);
  EXPECT_EQ(error_of(Version::parse("1.2.3-" + std::string(251, 'a'))), Error::too_long);
  EXPECT_EQ(error_of(Version::parse(std::string(1 << 20, '1'))), Error::too_long);
  // 256 characters of three bytes each are not too long, as JavaScript counts.
  std::string spaces;
  for (int i = 0; i < 251; ++i) spaces += "\xE3\x80\x80";
  EXPECT_EQ(error_of(Version::parse(spaces + "1.2.3")), std::nullopt);
  EXPECT_EQ(error_of(Version::parse(spaces + " 1.2.3")), Error::too_long);
  for (const Error error :
       {Error::too_long, Error::malformed, Error::number_too_large, Error::too_many_comparators,
        Error::bad_identifier, Error::nothing_to_increment}) {
    EXPECT_FALSE(describe(error).empty());
  }
}

TEST(Version, KeepsPrereleaseAndBuildApart) {
  const Version version = *Version::parse("1.2.3-rc.1+sha.5114f85");
  EXPECT_EQ(version.prerelease().text(), "rc.1");
  EXPECT_EQ(version.build().text(), "sha.5114f85");
  std::vector<std::string_view> identifiers;
  for (const std::string_view identifier : version.prerelease()) identifiers.push_back(identifier);
  EXPECT_EQ(identifiers, (std::vector<std::string_view>{"rc", "1"}));
  EXPECT_TRUE(Version::parse("1.2.3")->prerelease().empty());
  EXPECT_FALSE(Version::parse("1.2.3+b")->has_prerelease());
}

TEST(Version, SurvivesCopyAndMove) {
  Version version = *Version::parse("1.2.3-a-prerelease-that-is-not-short.7+build");
  const Version copy = version;
  const Version moved = std::move(version);
  EXPECT_EQ(copy.str(), "1.2.3-a-prerelease-that-is-not-short.7");
  EXPECT_EQ(moved.raw(), copy.raw());
  EXPECT_LE(sizeof(Version), 64U);
}

TEST(Version, OrderIsThatOfPrecedence) {
  const std::string_view ascending[] = {
      "0.0.0-0",         "0.0.0",
      "0.0.1",           "0.9.0",
      "0.10.0",          "1.0.0-0",
      "1.0.0-2",         "1.0.0-10",
      "1.0.0--",         "1.0.0-Beta",
      "1.0.0-alpha",     "1.0.0-alpha.1",
      "1.0.0-alpha.1.0", "1.0.0-alpha.beta",
      "1.0.0-alpha1",    "1.0.0-beta",
      "1.0.0",           "1.0.1-rc.9",
      "1.0.1",           "9007199254740991.0.0",
  };
  for (const std::string_view& a : ascending) {
    for (const std::string_view& b : ascending) {
      EXPECT_EQ(*Version::parse(a) <=> *Version::parse(b), &a <=> &b) << a << " " << b;
    }
  }
}

TEST(Version, BuildsCountOnlyWhereAsked) {
  const Version a = *Version::parse("1.0.0+1");
  const Version b = *Version::parse("1.0.0+2");
  EXPECT_EQ(a, b);
  EXPECT_LT(a.compare_build(b), 0);
  EXPECT_GT(a.compare_build(*Version::parse("1.0.0")), 0);
  EXPECT_EQ(a.compare_build(*Version::parse("1.0.0+01.9")), 0);  // 1 and 01 end it, as in node
}

TEST(Version, LongNumbersCompareAsDoubles) {
  const auto compare = [](std::string_view a, std::string_view b) {
    return Version::parse(a)->compare(*Version::parse(b));
  };
  EXPECT_EQ(compare("1.0.0-9007199254740992.1", "1.0.0-9007199254740993.2"), 0);
  EXPECT_LT(compare("1.0.0-9007199254740992.1", "1.0.0-9007199254740992.2"), 0);
  EXPECT_LT(compare("1.0.0-9007199254740990", "1.0.0-9007199254740991"), 0);
  EXPECT_EQ(compare("1.0.0-9999999999999999", "1.0.0-10000000000000000"), 0);
  const std::string huge(240, '9');
  EXPECT_LT(compare("1.0.0-1" + huge.substr(1), "1.0.0-" + huge), 0);
}

TEST(Version, SortTakesWhatIsNoOrder) {
  std::vector<Version> versions;
  for (int i = 0; i < 500; ++i) {
    const char* number = i % 2 == 0 ? "9007199254740992." : "9007199254740993.";
    versions.push_back(*Version::parse("1.0.0-" + (number + std::to_string((i * 7919) % 500))));
  }
  sort(versions);
  EXPECT_EQ(versions.size(), 500U);
}

TEST(Increment, RefusesWhatNodeCouldNotReadBack) {
  const Version top = *Version::parse("9007199254740991.0.1");
  EXPECT_EQ(error_of(top.incremented(Release::major)), Error::number_too_large);
  EXPECT_EQ(top.incremented(Release::minor)->str(), "9007199254740991.1.0");
  EXPECT_EQ(error_of(top.incremented(Release::premajor, std::string(300, 'a'))),
            Error::bad_identifier);
  EXPECT_EQ(error_of(top.incremented(Release::prepatch, std::string(240, 'a'))), Error::too_long);
  EXPECT_EQ(error_of(top.incremented(Release::prerelease, "a..b")), Error::bad_identifier);
  EXPECT_EQ(error_of(top.incremented(Release::release)), Error::nothing_to_increment);
}

TEST(Increment, KeepsTheBuildInTheRawText) {
  const Version next = *Version::parse("1.2.3-rc.1+b.7")->incremented(Release::prerelease);
  EXPECT_EQ(next.str(), "1.2.3-rc.2");
  EXPECT_EQ(next.raw(), "1.2.3-rc.2+b.7");
}

TEST(Truncate, DropsWhatIsFiner) {
  const Version version = *Version::parse("1.2.3-rc.01+b", kLooseVersion);
  EXPECT_EQ(version.truncated(Release::major)->raw(), "1.0.0");
  EXPECT_EQ(version.truncated(Release::minor)->raw(), "1.2.0");
  EXPECT_EQ(version.truncated(Release::patch)->raw(), "1.2.3");
  EXPECT_EQ(version.truncated(Release::prerelease)->raw(), "1.2.3-rc.1");
  EXPECT_EQ(version.truncated(Release::prerelease)->prerelease().text(), "rc.1");
  EXPECT_EQ(version.truncated(Release::release), std::nullopt);
}

TEST(Scan, FindsJavaScriptsWhiteSpaceAndNoOther) {
  const std::string_view spaces[] = {" ",           "\t",           "\v",           "\f",
                                     "\xC2\xA0",    "\xE1\x9A\x80", "\xE2\x80\x8A", "\xE2\x80\xA9",
                                     "\xEF\xBB\xBF"};
  for (const std::string_view space : spaces) EXPECT_EQ(space_at(space, 0), space.size());
  const std::string_view others[] = {"",     "a",       "\xC2\x85", "\xE2\x80\x8B", "\xE1\xA0\x8E",
                                     "\xC2", "\xE2\x80"};
  for (const std::string_view other : others) EXPECT_EQ(space_at(other, 0), 0U);
}

}  // namespace
}  // namespace cg::semver
