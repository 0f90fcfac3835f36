// Every row of node-semver's own fixtures.
#include <gtest/gtest.h>

#include <functional>
#include <iostream>

#include "base/json/json.h"
#include "npm/semver/range.h"
#include "npm/semver/subset.h"
#include "support/support.h"

namespace cg::semver {
namespace {

using json::Value;
using Row = Value::Array;

/// What JavaScript takes for true; NaN is written as an object there.
bool truthy(const Value* value) {
  if (value == nullptr || value->is_null() || value->find("$number") != nullptr) return false;
  if (const auto boolean = value->as_bool()) return *boolean;
  if (const auto number = value->as_int()) return *number != 0;
  if (const std::string* text = value->as_string()) return !text->empty();
  return true;
}

/// Anything true that is no object means loose.
Options options_at(const Row& row, std::size_t i) {
  if (i >= row.size() || row[i].is_string()) return {};
  if (!row[i].is_object()) return {.loose = truthy(&row[i])};
  return {.loose = truthy(row[i].find("loose")),
          .include_prerelease = truthy(row[i].find("includePrerelease"))};
}

std::string text_at(const Row& row, std::size_t i) {
  const std::string* text = i < row.size() ? row[i].as_string() : nullptr;
  return text != nullptr ? *text : "(not a text)";
}

/// Runs `check` on each row of a fixture and prints how many held.
void run_fixture(const std::string& name, std::size_t expected,
                 const std::function<bool(const Row&)>& check) {
  const auto data = test::data_dir();
  if (!data) {
    GTEST_SKIP() << "CG_DATA is not set: nothing to check";
  }
  const Value rows = *json::parse_json(test::read(*data / "vectors/semver" / (name + ".json")));
  ASSERT_NE(rows.as_array(), nullptr);
  std::size_t passed = 0;
  for (const Value& value : *rows.as_array()) {
    ASSERT_NE(value.as_array(), nullptr);
    const bool ok = check(*value.as_array());
    EXPECT_TRUE(ok) << name << ": " << json::write_json(value);
    passed += ok ? 1U : 0U;
  }
  std::cout << name << ": " << passed << " of " << rows.as_array()->size() << " rows\n";
  EXPECT_EQ(passed, rows.as_array()->size());
  EXPECT_GE(passed, expected) << "the fixture has become shorter";
}

bool satisfied(const Row& row) {
  const Options options = options_at(row, 2);
  const auto range = Range::parse(text_at(row, 0), options);
  const auto version = Version::parse(text_at(row, 1), options);
  return range && version && satisfies(*version, *range);
}

bool outside(const Row& row, Side side) {
  const Options options = options_at(row, 2);
  const auto range = Range::parse(text_at(row, 0), options);
  const auto version = Version::parse(text_at(row, 1), options);
  EXPECT_TRUE(range && version);
  return range && version && is_outside(*version, *range, side);
}

TEST(Fixture, RangeInclude) { run_fixture("range-include", 126, satisfied); }

TEST(Fixture, RangeExclude) {
  run_fixture("range-exclude", 98, [](const Row& row) { return !satisfied(row); });
}

TEST(Fixture, RangeParse) {
  run_fixture("range-parse", 133, [](const Row& row) {
    const auto range = Range::parse(text_at(row, 0), options_at(row, 2));
    if (row[1].is_null()) return !range;
    if (!range) return false;
    const std::string text = range->str();
    return (text.empty() ? "*" : text) == text_at(row, 1);
  });
}

TEST(Fixture, RangeIntersection) {
  run_fixture("range-intersection", 54, [](const Row& row) {
    const auto a = Range::parse(text_at(row, 0));
    const auto b = Range::parse(text_at(row, 1));
    const bool expected = truthy(&row[2]);
    return a && b && intersects(*a, *b) == expected && intersects(*b, *a) == expected;
  });
}

TEST(Fixture, ComparatorIntersection) {
  run_fixture("comparator-intersection", 34, [](const Row& row) {
    const auto a = Comparator::parse(text_at(row, 0));
    const auto b = Comparator::parse(text_at(row, 1));
    const bool expected = truthy(&row[2]);
    const Options options{.include_prerelease = row.size() > 3 && truthy(&row[3])};
    return a && b && intersects(*a, *b, options) == expected &&
           intersects(*b, *a, options) == expected;
  });
}

TEST(Fixture, Comparisons) {
  run_fixture("comparisons", 31, [](const Row& row) {
    const auto a = Version::parse(text_at(row, 0), options_at(row, 2));
    const auto b = Version::parse(text_at(row, 1), options_at(row, 2));
    return a && b && *a > *b && *b < *a && *a != *b && *a == *a && *b == *b;
  });
}

TEST(Fixture, Equality) {
  run_fixture("equality", 37, [](const Row& row) {
    const auto a = Version::parse(text_at(row, 0), options_at(row, 2));
    const auto b = Version::parse(text_at(row, 1), options_at(row, 2));
    return a && b && *a == *b && *b == *a && *a <= *b && *a >= *b;
  });
}

/// `false` means none; otherwise whatever JavaScript makes a number other than 0 of.
IdentifierBase base_of(const Value& value) {
  if (value.as_bool() == false) return IdentifierBase::none;
  const bool zero = value.is_string() && (*value.as_string() == "0" || value.as_string()->empty());
  return truthy(&value) && !zero ? IdentifierBase::one : IdentifierBase::zero;
}

TEST(Fixture, Increments) {
  run_fixture("increments", 133, [](const Row& row) {
    // An identifier in the place of the options moves what follows one place up.
    const bool no_options = row.size() > 3 && row[3].is_string();
    const std::size_t at = no_options ? 3 : 4;
    const Options options = options_at(row, 3);
    const std::string identifier = at < row.size() && row[at].is_string() ? text_at(row, at) : "";
    const IdentifierBase base = at + 1 < row.size() ? base_of(row[at + 1]) : IdentifierBase::zero;

    const auto version = Version::parse(text_at(row, 0), options);
    const auto release = parse_release(text_at(row, 1));
    if (!version || !release) return row[2].is_null();
    const auto next = version->incremented(*release, identifier, base, options);
    if (!next) return row[2].is_null();
    return next->str() == text_at(row, 2);
  });
}

TEST(Fixture, Truncations) {
  run_fixture("truncations", 27, [](const Row& row) {
    const auto version = Version::parse(text_at(row, 0));
    const auto release = parse_release(text_at(row, 1));
    if (!version || !release) return row[2].is_null();
    const auto cut = version->truncated(*release);
    return cut && cut->str() == text_at(row, 2);
  });
}

TEST(Fixture, InvalidVersions) {
  run_fixture("invalid-versions", 10, [](const Row& row) {
    // What is no text at all cannot be given to parse().
    return !row[0].is_string() || !Version::parse(text_at(row, 0), options_at(row, 2));
  });
}

bool same_identifiers(const Identifiers& identifiers, const Value& expected) {
  Row found;
  for (const std::string_view identifier : identifiers) found.emplace_back(identifier);
  Row wanted;
  for (const Value& value : *expected.as_array()) {
    wanted.emplace_back(value.as_int() ? std::to_string(*value.as_int()) : *value.as_string());
  }
  return found == wanted;
}

TEST(Fixture, ValidVersions) {
  run_fixture("valid-versions", 22, [](const Row& row) {
    const auto version = Version::parse(text_at(row, 0));
    const auto number = [&](std::size_t i) { return static_cast<std::uint64_t>(*row[i].as_int()); };
    return version && version->raw() == text_at(row, 0) && version->major() == number(1) &&
           version->minor() == number(2) && version->patch() == number(3) &&
           same_identifiers(version->prerelease(), row[4]) &&
           same_identifiers(version->build(), row[5]);
  });
}

TEST(Fixture, VersionAboveRange) {
  run_fixture("version-gt-range", 56, [](const Row& row) { return outside(row, Side::above); });
}
TEST(Fixture, VersionBelowRange) {
  run_fixture("version-lt-range", 58, [](const Row& row) { return outside(row, Side::below); });
}
TEST(Fixture, VersionNotAboveRange) {
  run_fixture("version-not-gt-range", 80,
              [](const Row& row) { return !outside(row, Side::above); });
}
TEST(Fixture, VersionNotBelowRange) {
  run_fixture("version-not-lt-range", 83,
              [](const Row& row) { return !outside(row, Side::below); });
}

}  // namespace
}  // namespace cg::semver
