#include "vuln/provenance/purl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>

#include "base/json/json.h"
#include "support/support.h"

namespace cg::provenance {
namespace {

using json::Value;

std::string text_of(const Value& object, std::string_view key) {
  const Value* value = object.find(key);
  return value != nullptr && value->is_string() ? *value->as_string() : "";
}

Purl purl_of(const Value& object) {
  Purl out{text_of(object, "type"),
           text_of(object, "namespace"),
           text_of(object, "name"),
           text_of(object, "version"),
           {},
           text_of(object, "subpath")};
  const Value* qualifiers = object.find("qualifiers");
  if (qualifiers == nullptr || !qualifiers->is_object()) return out;
  for (const auto& [key, value] : *qualifiers->as_object()) {
    out.qualifiers.emplace_back(key, *value.as_string());
  }
  return out;
}

/// One row of the specification's own tests.
void check(const Value& row) {
  SCOPED_TRACE(json::write_json(row));
  const bool fails = row.find("expected_failure")->as_bool().value_or(false);
  const std::string kind = text_of(row, "test_type");
  const Value& input = *row.find("input");
  const Value& expected = *row.find("expected_output");
  if (kind == "build") return;  // nothing here writes them from parts
  const auto parsed = parse_purl(*input.as_string());
  ASSERT_EQ(parsed.has_value(), !fails) << (parsed ? "" : parsed.error().what);
  if (fails) return;
  if (kind == "parse") {
    EXPECT_EQ(*parsed, purl_of(expected));
  } else {
    EXPECT_EQ(*parsed, *parse_purl(*expected.as_string()));
  }
}

TEST(Purl, AgreesWithTheSpecificationsTests) {
  const auto data = test::data_dir();
  if (!data) {
    GTEST_SKIP() << "CG_DATA is not set: the vectors are not there";
  }
  std::size_t rows = 0;
  for (const char* file : {"npm-test.json", "specification-test.json"}) {
    const auto document = json::parse_json(test::read(*data / "vectors/purl" / file));
    ASSERT_TRUE(document);
    for (const Value& row : *document->find("tests")->as_array()) {
      check(row);
      ++rows;
    }
  }
  std::cout << rows << " rows\n";
  EXPECT_GE(rows, 30U);
}

TEST(Purl, ReadsScopesEncodedOrNot) {
  for (const char* text : {"pkg:npm/%40babel/core@7.0.0", "pkg:npm/@babel/core@7.0.0",
                           "PKG:NPM/%40babel/core@7.0.0", "pkg://npm/%40babel/core@7.0.0/"}) {
    SCOPED_TRACE(text);
    const auto purl = parse_purl(text);
    ASSERT_TRUE(purl);
    EXPECT_EQ(npm_name(*purl), "@babel/core");
    EXPECT_EQ(purl->version, "7.0.0");
  }
}

TEST(Purl, KeepsTheCaseOfNames) {
  EXPECT_EQ(npm_name(*parse_purl("pkg:npm/JSONStream@1.0.0")), "JSONStream");
  EXPECT_EQ(npm_name(*parse_purl("pkg:deb/debian/tar@1.34")), std::nullopt);
}

TEST(Purl, RefusesWhatIsNone) {
  const std::string bad[] = {"",
                             "pkg:",
                             "pkg:npm",
                             "pkg:npm/",
                             "npm/a@1",
                             "pkg:npm/a%",
                             "pkg:npm/a%4",
                             "pkg:npm/a%zz",
                             "pkg:npm/%ff",
                             "pkg:npm/a?x",
                             "pkg:npm/a?x=1&x=2",
                             "pkg:npm/a?=1",
                             "pkg:npm/a#../b",
                             "pkg:npm/a%2fb/c",
                             "pkg:npm/" + std::string(kMaxPurl, 'a')};
  for (const std::string& text : bad) {
    SCOPED_TRACE(text.substr(0, 50));
    EXPECT_FALSE(parse_purl(text));
  }
}

TEST(Purl, EmptyQualifiersVanishAndOthersAreSorted) {
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(parse_purl("pkg:deb/debian/tar@1?b=2&A=x%20y&c=")->qualifiers,
            (Pairs{{"a", "x y"}, {"b", "2"}}));
}

}  // namespace
}  // namespace cg::provenance
