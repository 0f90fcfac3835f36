#include "vuln/advisory/cvss.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>

#include "base/base/text.h"
#include "support/support.h"

namespace cg::advisory {
namespace {

int tenths(std::string_view vector) {
  const auto score = score_cvss(vector);
  return score ? score->tenths : -1;
}

/// "9.2" or "10.0", at the start of `text`.
int parse_tenths(std::string_view text) {
  const std::size_t dot = text.find('.');
  const auto whole = parse_u64(text.substr(0, dot));
  const auto part = parse_u64(text.substr(dot + 1, 1));
  return whole && part ? static_cast<int>(*whole * 10 + *part) : -2;
}

/// Lines of "vector - 9.8" or "vector - (9.8, 9.8, 9.8)", the first being the base.
std::size_t check_file(const std::filesystem::path& file) {
  std::size_t rows = 0;
  const std::string text = test::read(file);
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string_view::npos) continue;
    std::string_view expected = line.substr(dash + 3);
    if (expected.starts_with('(')) expected.remove_prefix(1);
    EXPECT_EQ(tenths(line.substr(0, dash)), parse_tenths(expected)) << line;
    ++rows;
  }
  return rows;
}

TEST(Cvss, ScoresEveryPublishedVector) {
  const auto data = test::data_dir();
  if (!data) {
    GTEST_SKIP() << "no test data: published CVSS vectors not checked";
  }
  const std::pair<const char*, std::size_t> files[] = {
      {"vectors_simple3", 2592}, {"vectors_simple31", 2592},     {"vectors_simple4", 1058},
      {"vectors_threat4", 6},    {"vectors_supplemental4", 576}, {"vectors_security4", 54}};
  for (const auto& [name, count] : files) {
    const std::size_t rows = check_file(*data / "vectors/cvss" / name);
    std::cout << name << ": " << rows << " vectors\n";
    EXPECT_EQ(rows, count);
  }
}

TEST(Cvss, EachVersionHasItsScale) {
  using enum CvssVersion;
  const struct {
    std::string vector;
    CvssScore score;
  } cases[] = {
      {"AV:N/AC:L/Au:N/C:C/I:C/A:C", {v2, 100, Level::high}},
      {"(AV:N/AC:L/Au:N/C:P/I:P/A:P)", {v2, 75, Level::high}},
      {"AV:N/AC:M/Au:N/C:N/I:P/A:N", {v2, 43, Level::moderate}},
      {"AV:L/AC:H/Au:M/C:N/I:N/A:P", {v2, 8, Level::low}},
      {"AV:N/AC:L/Au:N/C:N/I:N/A:N", {v2, 0, Level::low}},
      {"CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", {v3_0, 98, Level::critical}},
      {"CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N", {v3_1, 61, Level::moderate}},
      {"CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N", {v3_1, 0, Level::none}},
      {"CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H/E:P/RL:O", {v3_1, 75, Level::high}},
      {"CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:H/SC:N/SI:N/SA:N", {v4_0, 87, Level::high}},
      {"CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H/MSI:S",
       {v4_0, 100, Level::critical}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.vector);
    const auto score = score_cvss(c.vector);
    ASSERT_TRUE(score) << describe(score.error());
    EXPECT_EQ(score->tenths, c.score.tenths);
    EXPECT_EQ(name(score->level), name(c.score.level));
    EXPECT_EQ(*score, c.score);
  }
}

TEST(Cvss, ForgivesATrailingSlashAndAnyOrder) {
  EXPECT_EQ(tenths("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H/"), 75);
  EXPECT_EQ(tenths("CVSS:3.1/A:H/I:N/C:N/S:U/UI:N/PR:N/AC:L/AV:N"), 75);
}

TEST(Cvss, RefusesWhatIsNoVector) {
  const struct {
    std::string vector;
    CvssError::Kind kind;
  } cases[] = {
      {"", CvssError::Kind::unknown_version},
      {"7.5", CvssError::Kind::unknown_version},
      {"CVSS:5.0/AV:N", CvssError::Kind::unknown_version},
      {"CVSS:3.1", CvssError::Kind::unknown_version},
      {"CVSS:3.1/", CvssError::Kind::malformed},
      {"CVSS:3.1/AV", CvssError::Kind::malformed},
      {"CVSS:3.1/AV:N//AC:L", CvssError::Kind::malformed},
      {"CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N", CvssError::Kind::missing},
      {"CVSS:3.1/AV:N/AV:N", CvssError::Kind::repeated},
      {"CVSS:3.1/AV:Q", CvssError::Kind::bad_value},
      {"CVSS:3.1/AV:", CvssError::Kind::bad_value},
      {"CVSS:3.1/ZZ:N", CvssError::Kind::unknown_metric},
      {"CVSS:4.0/AV:N/AC:L/C:N/I:N/A:H", CvssError::Kind::unknown_metric},
      {"CVSS:3.1/" + std::string(600, 'A'), CvssError::Kind::malformed},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.vector);
    const auto score = score_cvss(c.vector);
    ASSERT_FALSE(score);
    EXPECT_EQ(score.error().kind, c.kind) << describe(score.error());
  }
}

TEST(Severity, WordsOfDatabasesAreUnderstood) {
  EXPECT_EQ(parse_level("MODERATE"), Level::moderate);
  EXPECT_EQ(parse_level("Medium"), Level::moderate);
  EXPECT_EQ(parse_level("critical"), Level::critical);
  EXPECT_EQ(parse_level("NONE"), Level::none);
  EXPECT_EQ(parse_level("unknown"), std::nullopt);
  EXPECT_EQ(parse_level("hig"), std::nullopt);
  EXPECT_EQ(parse_level(""), std::nullopt);
}

}  // namespace
}  // namespace cg::advisory
