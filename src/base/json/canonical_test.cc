#include "base/json/canonical.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/base/bytes.h"
#include "base/json/json.h"
#include "support/support.h"

namespace cg::json {
namespace {

std::string canonical_of(const std::string& json) { return *canonical(*parse_json(json)); }

TEST(Canonical, HasOneFormForEachValue) {
  const struct {
    std::string json;
    std::string canonical;
  } cases[] = {
      {" null ", "null"},
      {"[ true , false ]", "[true,false]"},
      {"{ }", "{}"},
      {"[9007199254740991, -9007199254740991, 0]", "[9007199254740991,-9007199254740991,0]"},
      {R"({"b":1,"a":{"d":2,"c":3}})", R"({"a":{"c":3,"d":2},"b":1})"},
      {R"({"aa":1,"a":2,"":3})", R"({"":3,"a":2,"aa":1})"},
      {R"("\u0008\u0009\u000a\u000c\u000d\u0022\u005c")", R"("\b\t\n\f\r\"\\")"},
      {R"("\u0000\u000b\u001f\u007f\u2028\/")", "\"\\u0000\\u000b\\u001f\x7f\u2028/\""},
  };
  for (const auto& c : cases) EXPECT_EQ(canonical_of(c.json), c.canonical);
}

TEST(Canonical, SortsByUtf16CodeUnits) {
  // U+FB33 comes before U+1F602 in UTF-8 and after it in UTF-16 (D83D DE02).
  EXPECT_EQ(canonical_of(R"({"\ufb33":1,"\ud83d\ude02":2,"\u20ac":3,"1":4,"\r":5})"),
            "{\"\\r\":5,\"1\":4,\"\u20ac\":3,\"\U0001F602\":2,\"\uFB33\":1}");
  EXPECT_EQ(canonical_of(R"({"a\uffff":1,"a\ud800\udc00":2,"a\ud7ff":3,"a\ue000":4})"),
            "{\"a\uD7FF\":3,\"a\U00010000\":2,\"a\uE000\":4,\"a\uFFFF\":1}");
}

TEST(Canonical, RefusesWhatHasNoOneForm) {
  const struct {
    Value value;
    CanonicalError::Kind error;
    std::string where;
  } cases[] = {
      {1.0, CanonicalError::Kind::real_number, ""},
      {-0.0, CanonicalError::Kind::real_number, ""},
      {*parse_json(R"({"a/b":[1,{"~":2.5}]})"), CanonicalError::Kind::real_number, "/a~1b/1/~0"},
      {*parse_json("[9007199254740992]"), CanonicalError::Kind::integer_too_large, "/0"},
      {*parse_json("[0,-9007199254740992]"), CanonicalError::Kind::integer_too_large, "/1"},
      {Value::Array{"\xff"}, CanonicalError::Kind::not_utf8, "/0"},
      {Value::Object{{"\xff", 1}}, CanonicalError::Kind::not_utf8, ""},
      {Value::Object{{"a", 1}, {"b", 2}, {"a", 3}}, CanonicalError::Kind::duplicate_key, "/a"},
  };
  for (const auto& c : cases) {
    const auto text = canonical(c.value);
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().kind, c.error);
    EXPECT_EQ(text.error().where, c.where);
    EXPECT_FALSE(describe(text.error()).empty());
  }
  EXPECT_EQ(describe({CanonicalError::Kind::duplicate_key, "/a"}), "/a: duplicate key");
}

TEST(Canonical, EqualObjectsInAnyOrderGiveEqualBytes) {
  std::mt19937 random(5);
  Value::Object members;
  for (int i = 0; i < 200; ++i) members.emplace_back("key" + std::to_string(random()), i);
  const std::string expected = *canonical(Value(members));
  for (int i = 0; i < 20; ++i) {
    std::shuffle(members.begin(), members.end(), random);
    EXPECT_EQ(*canonical(Value(members)), expected);
  }
  EXPECT_EQ(canonical_of(expected), expected);
}

/// One byte at a time, as the RFC says it.
std::string plainly_escaped(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const std::string_view named = "\b\t\n\f\r\"\\";
    const std::size_t at = named.find(c);
    if (at != std::string_view::npos) {
      out += std::string("\\") + "btnfr\"\\"[at];
    } else if (static_cast<Byte>(c) < 0x20) {
      out += "\\u00" + to_hex(as_bytes(std::string_view(&c, 1)));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

TEST(AppendCanonicalString, EscapesEveryByteAtEveryOffset) {
  for (int byte = 0; byte < 128; ++byte) {
    for (std::size_t before = 0; before < 18; ++before) {
      std::string text(before, 'x');
      text += static_cast<char>(byte);
      text += "é tail of some length";
      std::string out = "kept";
      append_canonical_string(out, text);
      EXPECT_EQ(out, "kept" + plainly_escaped(text)) << byte << " at " << before;
    }
  }
}

TEST(AppendCanonicalString, AgreesWithThePlainWayOnRandomText) {
  std::mt19937 random(11);
  for (int i = 0; i < 5000; ++i) {
    std::string text(random() % 70, ' ');
    for (char& c : text) c = static_cast<char>(random() % 256);
    std::string out;
    append_canonical_string(out, text);
    EXPECT_EQ(out, plainly_escaped(text));
  }
}

// --- RFC 8785 test vectors (github.com/cyberphone/json-canonicalization) ---

TEST(JcsVectors, AreMetWhereTheyNeedNoDoubles) {
  const auto data = test::data_dir();
  if (!data) {
    GTEST_SKIP() << "CG_DATA is not set: the RFC 8785 vectors are not there";
  }
  for (const std::string name : {"arrays", "french", "unicode", "weird"}) {
    SCOPED_TRACE(name);
    const auto value = parse_json(test::read(*data / "vectors/jcs/input" / (name + ".json")));
    ASSERT_TRUE(value);
    EXPECT_EQ(*canonical(*value), test::read(*data / "vectors/jcs/output" / (name + ".json")));
  }
}

TEST(JcsVectors, AreRefusedWhereTheyNeedDoubles) {
  const auto data = test::data_dir();
  if (!data) {
    GTEST_SKIP() << "CG_DATA is not set: the RFC 8785 vectors are not there";
  }
  const std::pair<std::string, std::string> cases[] = {
      {"structures", "/1/\\x0a"},  // 56.0
      {"values", "/numbers/0"},
  };
  for (const auto& [name, where] : cases) {
    SCOPED_TRACE(name);
    const auto text =
        canonical(*parse_json(test::read(*data / "vectors/jcs/input" / (name + ".json"))));
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().kind, CanonicalError::Kind::real_number);
    EXPECT_EQ(text.error().where, where);
  }
}

}  // namespace
}  // namespace cg::json
