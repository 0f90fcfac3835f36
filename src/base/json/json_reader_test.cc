#include "base/json/json_reader.h"

#include <gtest/gtest.h>

#include <random>

#include "base/json/json.h"

namespace cg::json {
namespace {

/// Whether the reader passes over `text` as one value.
bool skips(std::string_view text) {
  JsonReader reader(text);
  return reader.skip() && reader.finish();
}

std::string why(std::string_view text) {
  JsonReader reader(text);
  static_cast<void>(reader.skip() && reader.finish());
  return reader.ok() ? "fine" : describe(reader.error());
}

/// Reads everything with the cursor and builds what parse_json builds, numbers aside.
bool build(JsonReader& reader, Value& out) {
  std::string_view text;
  bool flag = false;
  JsonReader::Key key;
  switch (reader.peek()) {
    case JsonReader::Kind::object: {
      Value::Object members;
      if (!reader.begin_object()) return false;
      while (reader.next_key(key)) {
        if (!build(reader, members.emplace_back(std::string(key.text), Value()).second))
          return false;
      }
      out = std::move(members);
      return reader.ok();
    }
    case JsonReader::Kind::array: {
      Value::Array items;
      if (!reader.begin_array()) return false;
      while (reader.next_item()) {
        if (!build(reader, items.emplace_back())) return false;
      }
      out = std::move(items);
      return reader.ok();
    }
    case JsonReader::Kind::string:
      if (!reader.read_string(text)) return false;
      out = text;
      return true;
    case JsonReader::Kind::boolean:
      if (!reader.read_bool(flag)) return false;
      out = flag;
      return true;
    default:
      return reader.skip();
  }
}

TEST(JsonReader, GivesWhatTheTextSays) {
  const std::string text =
      R"( {"a": ["x", "\u0041\n", true, false, null], "": {}, "k\"": {"deep": [[], ["y"]]}} )";
  JsonReader reader(text);
  Value value;
  ASSERT_TRUE(build(reader, value) && reader.finish());
  EXPECT_EQ(value, *parse_json(text));
}

TEST(JsonReader, ReadsIntegers) {
  std::int64_t number = 0;
  JsonReader good("-12");
  EXPECT_TRUE(good.read_int(number) && good.finish());
  EXPECT_EQ(number, -12);
  for (const char* bad : {"1.5", "1e3", "99999999999999999999", "\"1\"", "01"}) {
    JsonReader reader(bad);
    EXPECT_FALSE(reader.read_int(number) && reader.finish()) << bad;
  }
}

TEST(JsonReader, SaysWhatAndWhere) {
  EXPECT_EQ(why("{\"a\":1,\n \"a\":2}"), "line 2, column 2: duplicate key `a`");
  EXPECT_EQ(why("{\"a\":1,\n \"\\u0061\":2}"), "line 2, column 2: duplicate key `a`");
  EXPECT_EQ(why("{\"a\" 1}"), "line 1, column 6: expected `:`");
  EXPECT_EQ(why("[1,]"), "line 1, column 4: expected a value");
  EXPECT_EQ(why("[1 2]"), "line 1, column 4: expected `,` or `]`");
  EXPECT_EQ(why("{\"a\":1,}"), "line 1, column 8: expected a string");
  EXPECT_EQ(why("\"ab"), "line 1, column 1: a string without an end");
}

TEST(JsonReader, FindsADuplicateAmongManyKeys) {
  std::string text = "{";
  for (int i = 0; i < 1000; ++i) text += "\"key" + std::to_string(i) + "\":0,";
  EXPECT_TRUE(skips(text + "\"last\":0}"));
  EXPECT_FALSE(skips(text + "\"key500\":0}"));
}

TEST(JsonReader, StopsAtTheLimits) {
  const std::string deep = std::string(1000, '[') + std::string(1000, ']');
  EXPECT_FALSE(skips(deep));
  JsonReader large("[1,2,3]", {.max_bytes = 3});
  EXPECT_FALSE(large.skip());
  EXPECT_EQ(large.error().kind, ParseError::Kind::too_large);
}

TEST(JsonReader, ReadsOnFromWhereItSkipped) {
  JsonReader reader(R"({"late": {"x": "y"}, "first": true})");
  JsonReader::Key key;
  ASSERT_TRUE(reader.begin_object() && reader.next_key(key));
  ASSERT_EQ(reader.peek(), JsonReader::Kind::object);
  const std::uint32_t late = reader.next_offset();
  ASSERT_TRUE(reader.skip() && reader.next_key(key) && reader.skip());
  ASSERT_FALSE(reader.next_key(key));
  reader.rewind(late);
  std::string_view text;
  ASSERT_TRUE(reader.begin_object() && reader.next_key(key) && reader.read_string(text));
  EXPECT_EQ(text, "y");
}

std::vector<std::uint32_t> marks(std::string_view text, JsonIndex::Width width) {
  JsonIndex index(text, width);
  std::vector<std::uint32_t> out;
  for (std::uint32_t mark = index.mark(); mark != text.size(); mark = index.mark()) {
    out.push_back(mark);
    index.advance();
  }
  return out;
}

TEST(JsonIndex, FindsTheSameMarksOnEveryMachine) {
  std::mt19937 random(3);
  for (int i = 0; i < 300; ++i) {
    std::string text;
    const char bytes[] = "{}[]\",:\\ \n\t0a\"\"aaaa";
    for (auto n = random() % 9000; n > 0; --n) text += bytes[random() % (sizeof bytes - 1)];
    EXPECT_EQ(marks(text, JsonIndex::Width::widest), marks(text, JsonIndex::Width::portable));
  }
  EXPECT_EQ(marks("{\"a\\\"b\": -1}", JsonIndex::Width::portable),
            (std::vector<std::uint32_t>{0, 1, 6, 7, 9, 11}));
}

/// Both readers must agree on every text; numbers that parse_json finds too large for a
/// double, or outside 64 bits, are the documented difference.
void agree(std::string_view text) {
  const auto parsed = parse_json(text);
  const bool number = !parsed && (parsed.error().kind == ParseError::Kind::number_out_of_range);
  if (!number) {
    EXPECT_EQ(skips(text), parsed.has_value()) << text;
  }
}

TEST(JsonReader, AgreesWithTheParserOnDamagedTexts) {
  const std::string sound =
      "{\"name\": \"a\", \"packages\": {\"\": {\"v\": [1, -2.5e3, null]}, \"b\\n\": "
      "\"\\u00e9\xC3\xA9\"},\r\n"
      "\t\"long key of more than sixteen bytes\": true, \"x\": {\"y\": {\"z\": []}}}";
  agree(sound);
  std::mt19937 random(7);
  for (int i = 0; i < 20000; ++i) {
    std::string text = sound;
    for (auto n = 1 + random() % 3; n > 0; --n) {
      const char bytes[] = "{}[]\",:\\ \n0a\x01\xC3";
      const std::size_t at = random() % text.size();
      if (random() % 3 == 0) {
        text.erase(at, 1 + random() % 4);
      } else {
        text[at] = bytes[random() % (sizeof bytes - 1)];
      }
    }
    agree(text);
  }
}

}  // namespace
}  // namespace cg::json
