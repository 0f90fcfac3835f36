// Headings, and the versions that they speak of.
#include "npm/notes/versions.h"

#include <gtest/gtest.h>

namespace cg::notes {
namespace {

Wanted wanted(std::string_view from, std::string_view to) {
  return {"@s/pack", *semver::Version::parse(from), *semver::Version::parse(to), {}};
}

/// "4.0.0", "4.0.0 to 4.0.3", "none" for what is no release, "other" for none of ours.
std::string read(std::string_view title) {
  const auto release = release_of(title, wanted("1.0.0", "9.0.0"));
  if (!release) return "none";
  if (!release->span) return "other";
  const std::string first = release->span->first.str();
  return release->span->last == release->span->first ? first
                                                     : first + " to " + release->span->last.str();
}

TEST(Versions, OfHeadings) {
  const struct {
    std::string_view title;
    std::string_view version;
  } cases[] = {
      {"4.0.0", "4.0.0"},
      {"v4.0.0", "4.0.0"},
      {"[4.0.0] - 2021-01-03", "4.0.0"},
      {"[4.0.0](https://x.example/compare/v3.9.9...v4.0.0) (2021-01-03)", "4.0.0"},
      {"4.0.0 / 2021-01-03", "4.0.0"},
      {"4.0.0/2021-01-03", "4.0.0"},
      {"2021-01-03, Version 4.0.0", "4.0.0"},
      {"2021.01.03, v4.0", "4.0.0"},
      {"21st November 2018, Version 4.0.0 (Someone)", "4.0.0"},
      {"**4.0.0**", "4.0.0"},
      {"`4.0.0`", "4.0.0"},
      {"4.0.0-beta.1", "4.0.0-beta.1"},
      {"4.0.0rc1", "4.0.0-rc1"},
      {"v4", "4.0.0"},
      {"4", "4.0.0"},
      {"4 (2020-01-01)", "4.0.0"},
      {"Version 4", "4.0.0"},
      {"Version 4.0", "4.0.0"},
      {"Release v4.0.1", "4.0.1"},
      {"What's new in 4.0.0", "4.0.0"},
      {"Pack 4.0.0", "4.0.0"},
      {"Pack 4", "4.0.0"},
      {"@s/pack@4.0.0", "4.0.0"},
      {"@s/other@4.0.0", "other"},
      {"<a name=\"4.0.0\"></a>", "4.0.0"},
      {"<a name=\"x\"></a>4.0.0 (2020)", "none"},
      {"\xE7\x89\x88\xE6\x9C\xAC 4.0.0", "4.0.0"},
      {"\xE7\x89\x88\xE6\x9C\xAC"
       "4.0.0\xEF\xBC\x88"
       "2020\xEF\xBC\x89",
       "4.0.0"},
      {"4.x", "4.0.0 to 4.9007199254740991.9007199254740991"},
      {"4.0.0 - 4.0.3", "4.0.0 to 4.0.3"},
      {"1.2.3.4", "1.2.3"},
      {"Unreleased", "other"},
      {"[Unreleased] 2021-01-03", "other"},
      {"Support for Node 12.0.0", "none"},
      {"5 things", "none"},
      {"3d views", "none"},
      {"Bug fixes", "none"},
      {"2021-01-03", "none"},
      {"99999999999999999999.0.0", "none"},
      {"", "none"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.title);
    EXPECT_EQ(read(c.title), c.version);
  }
}

TEST(Versions, OfCalendarsAreNoDates) {
  const auto release = release_of("2024.1.2", wanted("2023.1.0", "2025.1.0"));
  ASSERT_TRUE(release && release->span);
  EXPECT_EQ(release->span->first.str(), "2024.1.2");
}

TEST(Versions, OfLinesThatAreNoHeadings) {
  const struct {
    std::string_view line;
    bool is_release;
  } cases[] = {
      {"4.0.0 / 2021-01-03", true},
      {"* 4.0.0:", true},
      {"- **4.0.0** (May 3, 2020)", true},
      {"* 4.0.0: renamed a to b", true},
      {"v4.0 - 2012", true},
      {"Version 4.0", true},
      {"<a name=\"4.0.0\"></a>", true},
      {"<a name=\"usage\"></a>", false},
      {"- 4.0.0 is broken", false},
      {"- since 4.0.0", false},
      {"4.0", false},
      {"    4.0.0", false},
      {"2021-01-03", false},
      {"- a", false},
      {"", false},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.line);
    EXPECT_EQ(is_release_line(c.line), c.is_release);
  }
}

TEST(Versions, OnTheWayAreThoseAboveTheOldOne) {
  const Wanted way = wanted("3.2.1", "5.0.0");
  const struct {
    std::string_view title;
    bool is_between;
  } cases[] = {{"3.2.1", false},       {"3.2.2", true}, {"3.x", true},  {"3", false},
               {"4.0.0-beta.1", true}, {"5.0.0", true}, {"5.x", true},  {"5.0.0-rc.1", true},
               {"5.0.1", false},       {"6.x", false},  {"2.x", false}, {"3.0.0 - 3.3.0", true}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.title);
    const auto release = release_of(c.title, way);
    ASSERT_TRUE(release && release->span);
    EXPECT_EQ(is_between(*release->span, way), c.is_between);
  }
}

TEST(Versions, CountUpOneNumber) {
  const auto step = [](std::string_view title) {
    return step_of(*release_of(title, wanted("0.1.0", "9.0.0"))->span);
  };
  EXPECT_EQ(step("4.0.0"), Step::major);
  EXPECT_EQ(step("4.0.0-beta.1"), Step::major);
  EXPECT_EQ(step("0.12.0"), Step::major);
  EXPECT_EQ(step("4.1.0"), Step::minor);
  EXPECT_EQ(step("4.1.1"), Step::patch);
}

TEST(Versions, OfGuides) {
  using enum Course;
  const Wanted way = wanted("3.2.1", "5.0.0");
  const struct {
    std::string_view title;
    Course course;
  } cases[] = {
      {"From 3.x to 4.x", ours},
      {"From 2.x to 3.x", another},
      {"From v3 to v4", ours},
      {"v3 \xE2\x86\x92 v4", ours},
      {"Migrating from version 3", ours},
      {"Migrating from version 2", another},
      {"Migrating from 5", another},
      {"Upgrading to version 4.0.0+", ours},
      {"Upgrading to 6", another},
      {"VERSION_4_UPGRADE", ours},
      {"VERSION_6_UPGRADE", another},
      {"v3-to-v4", ours},
      {"Migration-Guide-V3", another},
      {"migration-4", ours},
      {"Node 14.0 and TypeScript 4.0", unsaid},
      {"The 5 steps", unsaid},
      {"Overview", unsaid},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.title);
    EXPECT_EQ(course_of(c.title, way), c.course);
  }
}

}  // namespace
}  // namespace cg::notes
