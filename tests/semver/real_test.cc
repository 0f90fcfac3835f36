// Ranges and versions of real packages, with node-semver's answers.
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <set>

#include "base/base/text.h"
#include "base/json/json.h"
#include "npm/semver/range.h"
#include "support/support.h"

namespace cg::semver {
namespace {

std::optional<std::string> real_file(const std::string& name) {
  const auto data = test::data_dir();
  if (!data) return std::nullopt;
  return test::read(*data / "vectors/semver/real" / name);
}

/// The lines of a table, without its head and the empty end.
std::vector<std::string_view> rows_of(const std::string& table) {
  std::vector<std::string_view> rows = split(table, '\n');
  if (rows.back().empty()) rows.pop_back();
  rows.erase(rows.begin());
  return rows;
}

void report(const std::string& name, std::size_t passed, std::size_t total) {
  std::cout << name << ": " << passed << " of " << total << " rows\n";
  EXPECT_EQ(passed, total);
}

TEST(RealPackages, SatisfyTheSameRanges) {
  const auto table = real_file("satisfies_open.tsv");
  if (!table) GTEST_SKIP() << test::kNoData;
  const auto rows = rows_of(*table);
  std::size_t passed = 0;
  for (const std::string_view row : rows) {
    const auto fields = split(row, '\t');
    ASSERT_EQ(fields.size(), 4U) << row;
    const auto range = Range::parse(fields[1]);
    const auto version = Version::parse(fields[2]);
    const bool answer = range && version && satisfies(*version, *range);
    const bool ok = answer == (fields[3] == "1");
    if (!ok) ADD_FAILURE() << row;
    passed += ok ? 1U : 0U;
  }
  report("satisfies_open", passed, rows.size());
  EXPECT_EQ(rows.size(), 259'698U);
}

/// The versions of each package, from the table that has them all.
std::map<std::string_view, std::set<std::string_view>> versions_by_package(
    const std::string& table) {
  std::map<std::string_view, std::set<std::string_view>> out;
  for (const std::string_view row : rows_of(table)) {
    const auto fields = split(row, '\t');
    out[fields.at(0)].insert(fields.at(2));
  }
  return out;
}

TEST(RealPackages, HaveTheSameBestVersions) {
  const auto satisfies_table = real_file("satisfies_open.tsv");
  const auto table = real_file("max_satisfying_open.tsv");
  if (!satisfies_table || !table) GTEST_SKIP() << test::kNoData;
  const auto packages = versions_by_package(*satisfies_table);
  const auto text = [](const Version* version) {
    return version != nullptr ? version->raw() : "-";
  };
  const auto rows = rows_of(*table);
  std::size_t passed = 0;
  for (const std::string_view row : rows) {
    const auto fields = split(row, '\t');
    ASSERT_EQ(fields.size(), 5U) << row;
    std::vector<Version> versions;
    for (const std::string_view version : packages.at(fields[0])) {
      if (auto parsed = Version::parse(version)) versions.push_back(*std::move(parsed));
    }
    const auto range = Range::parse(fields[1]);
    const bool ok = range ? text(max_satisfying(versions, *range)) == fields[2] &&
                                text(min_satisfying(versions, *range)) == fields[3] &&
                                std::to_string(packages.at(fields[0]).size()) == fields[4]
                          : fields[2] == "-" && fields[3] == "-";
    if (!ok) ADD_FAILURE() << row;
    passed += ok ? 1U : 0U;
  }
  report("max_satisfying_open", passed, rows.size());
}

TEST(RealPackages, SortTheSame) {
  const auto table = real_file("sorted_open.jsonl");
  if (!table) GTEST_SKIP() << test::kNoData;
  std::size_t passed = 0;
  std::size_t total = 0;
  for (const std::string_view line : split(*table, '\n')) {
    if (line.empty()) continue;
    ++total;
    const auto row = json::parse_json(line);
    ASSERT_TRUE(row);
    std::vector<std::string> expected;
    for (const auto& text : *row->find("sorted")->as_array()) expected.push_back(*text.as_string());
    // From the order of the texts, so that there is something to do.
    const std::set<std::string> shuffled(expected.begin(), expected.end());
    std::vector<Version> versions;
    for (const std::string& text : shuffled) versions.push_back(*Version::parse(text));
    sort(versions);
    std::vector<std::string> sorted;
    for (const Version& version : versions) sorted.push_back(version.raw());
    EXPECT_EQ(sorted, expected) << line;
    passed += sorted == expected ? 1U : 0U;
  }
  report("sorted_open", passed, total);
  EXPECT_GT(total, 2000U);
}

}  // namespace
}  // namespace cg::semver
