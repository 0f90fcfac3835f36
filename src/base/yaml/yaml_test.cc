#include "base/yaml/yaml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base/text.h"
#include "base/json/json.h"
#include "base/json/parsing.h"
#include "base/yaml/scanner.h"

namespace cg::yaml {
namespace {

using Kind = ParseError::Kind;

std::optional<Kind> error_kind(const Result<Value, ParseError>& result) {
  return result ? std::nullopt : std::optional(result.error().kind);
}

/// The value as JSON, or the error.
std::string read(std::string_view text) {
  const auto value = parse_yaml(text);
  return value ? json::write_json(*value) : describe(value.error());
}

const std::string kSample =
    "# a comment\n"
    "name: codegenie   # another\n"
    "tiers: [0, 1, {two: 2}]\n"
    "'quoted key': \"\\u00e9\\n\"\n"
    "steps:\n"
    "  - run: |\n"
    "      make\n"
    "        all\n"
    "\n"
    "    if: yes\n"
    "  - >-\n"
    "    folded\n"
    "    text\n"
    "  - - 'it''s'\n"
    "    - ~\n"
    "empty:\n";

TEST(ParseYaml, ReadsWhatPeopleWrite) {
  EXPECT_EQ(read(kSample),
            R"({"name":"codegenie","tiers":[0,1,{"two":2}],"quoted key":"é\n",)"
            R"("steps":[{"run":"make\n  all\n","if":"yes"},"folded text",["it's",null]],)"
            R"("empty":null})");
}

TEST(ParseYaml, ReadsEachConstruct) {
  const struct {
    std::string yaml;
    std::string json;
  } cases[] = {
      {"", "null"},
      {"\n\n# only a comment", "null"},
      {"---\n", "null"},
      {"--- # c\na: 1\n...\n", R"({"a":1})"},
      {"a", R"("a")"},
      {"a: b", R"({"a":"b"})"},
      {"k:\n- a\n- b", R"({"k":["a","b"]})"},
      {"- a\n-\n  b: c\n  d: e\n- - f", R"(["a",{"b":"c","d":"e"},["f"]])"},
      {"[a, b: c, 'd', \"e\",]", R"(["a",{"b":"c"},"d","e"])"},
      {"{a: 1, b: , c}", R"({"a":1,"b":null,"c":null})"},
      {"{\"a\":1}", R"({"a":1})"},
      {"[\n  a,\n  b # c\n]", R"(["a","b"])"},
      {"a: plain text\n  on two lines\n\n  and more",
       R"({"a":"plain text on two lines\nand more"})"},
      {"a: 'x\n  y'\nb: \"x\\\n   y\"", R"({"a":"x y","b":"xy"})"},
      {"a: \"\\x41\\u00e9\\U0001F600\\ud83d\\ude00\\0\\e\\/\"", "{\"a\":\"Aé😀😀\\u0000\\u001b/\"}"},
      {"a: |\n  x\n   y\n\n", R"({"a":"x\n y\n"})"},
      {"a: |-\n  x\n\n", R"({"a":"x"})"},
      {"a: |+\n  x\n\nb: 1", R"({"a":"x\n\n","b":1})"},
      {"a: >\n  x\n  y\n\n  z\n", R"({"a":"x y\nz\n"})"},
      {"a: |\nb: 1", R"({"a":"","b":1})"},
      {"a: |\n  x", R"({"a":"x\n"})"},
      {"a: 1\r\nb: |\r\n  x\r\n  y\r\n", R"({"a":1,"b":"x\ny\n"})"},
      {"1: a\ntrue: b\n~: c", R"({"1":"a","true":"b","~":"c"})"},
      {"'': a\n\"<<\": b", R"({"":"a","<<":"b"})"},
      {"a: what?\nb: x ?y", R"({"a":"what?","b":"x ?y"})"},
      {"a:  \nb: c#d\ne: f:g", R"({"a":null,"b":"c#d","e":"f:g"})"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(printable(c.yaml));
    EXPECT_EQ(read(c.yaml), c.json);
  }
}

TEST(ParseYaml, ResolvesPlainScalarsByTheCoreSchema) {
  const struct {
    std::string scalars;  // separated by spaces
    std::string json;     // of each
  } cases[] = {
      {"~ null Null NULL", "null"},
      {"true True TRUE", "true"},
      {"false False FALSE", "false"},
      {"12 +12 012 0xc 0xC 0o14", "12"},
      {"-12", "-12"},
      {"9223372036854775807 0x7fffffffffffffff", "9223372036854775807"},
      {"0.5 .5 5e-1 5E-1 +.5", "0.5"},
      {"1. 1.0 1e0", "1.0"},
      {"-0 -0.0", "-0.0"},
      {"1e-400", "0.0"},
  };
  for (const auto& c : cases) {
    for (const std::string_view scalar : split(c.scalars, ' ')) {
      EXPECT_EQ(read(scalar), c.json) << scalar;
      EXPECT_EQ(read("- " + std::string(scalar)), "[" + c.json + "]") << scalar;
      const std::string quoted = "'" + std::string(scalar) + "'";
      EXPECT_EQ(parse_yaml(quoted)->as_string() != nullptr, true) << quoted;
    }
  }
  for (const std::string text :
       {"yes", "no",    "on",  "off",   "y",          "n",  "nULL", "tRUE",
        "0b1", "0o8",   "0xg", "1_000", "1:30",       "e5", "1e",   ".",
        "+",   "1.2.3", "inf", "nan",   "2026-11-15", "0x", "--1",  "-.e1"}) {
    EXPECT_EQ(parse_yaml(text)->as_string() != nullptr, true) << text;
  }
  for (const std::string text :
       {"9223372036854775808", "-9223372036854775809", "0x8000000000000000", "1e400", "-1e400",
        ".inf", "-.INF", ".nan", ".NaN"}) {
    EXPECT_EQ(error_kind(parse_yaml(text)), Kind::number_out_of_range) << text;
  }
}

TEST(ParseYaml, RefusesWhatWouldMeanSomethingElse) {
  const struct {
    std::string yaml;
    std::string message;
  } cases[] = {
      {"a: &x 1", "line 1, column 4: not allowed here: an anchor"},
      {"a: &x [1]", "line 1, column 4: not allowed here: an anchor"},
      {"a: *x", "line 1, column 4: not allowed here: an alias"},
      {"*x : a", "line 1, column 1: not allowed here: an alias"},
      {"a: !!str 1", "line 1, column 4: not allowed here: a tag"},
      {"a: ! b", "line 1, column 4: not allowed here: a tag"},
      {"!!map\na: 1", "line 1, column 1: not allowed here: a tag"},
      {"a:\n  <<: {b: 1}", "line 2, column 3: not allowed here: a merge key"},
      {"%YAML 1.2\n--- a", "line 1, column 1: not allowed here: a directive"},
      {"%TAG ! x:\n--- a", "line 1, column 1: not allowed here: a directive"},
      {"[? a : b]", "line 1, column 2: not allowed here: a `?` in a sequence"},
      {"? [a]\n: b", "line 1, column 3: a key must be a scalar that is written out"},
      {"? a: b\n: c", "line 1, column 3: a key must be a scalar that is written out"},
      {"? - a\n: b", "line 1, column 3: a key must be a scalar that is written out"},
      {"?\n: b", "line 1, column 1: a key must be a scalar that is written out"},
      {"[[a]: b]", "line 1, column 5: a key must be a scalar that is written out"},
      {"{[a]: b}", "line 1, column 2: a key must be a scalar that is written out"},
      {"[: b]", "line 1, column 2: a key must be a scalar that is written out"},
      {"'a\n b': c", "line 1, column 1: a key of several lines"},
      {"--- a\n--- b", "line 2, column 1: more than one document"},
      {"a: 1\n---\n", "line 2, column 1: more than one document"},
      {"a: 1\nb: 2\na: 3", "line 3, column 1: duplicate key `a`"},
      {"{a: 1, 'a': 2}", "line 1, column 8: duplicate key `a`"},
      {"[a]: b", "line 1, column 1: a key must be a scalar that is written out"},
      {"{a: 1}: b", "line 1, column 1: a key must be a scalar that is written out"},
      {": b", "line 1, column 1: a key must be a scalar that is written out"},
      {"a: 1e999", "line 1, column 4: number out of range: 1e999 (a string needs quotes)"},
      {"a:\nb", "line 2, column 1: expected a key with `: ` behind it"},
      {"- \nb", "line 2, column 1: expected `- `"},
      {"a: [\nb]", "line 2, column 1: indented less than what it belongs to"},
      {"a: 'x\ny'", "line 2, column 1: indented less than what it belongs to"},
      {"a:\n  b: 1\n   c: 2", "line 3, column 5: `: ` in a scalar of several lines"},
      {"a:\n  b: '1'\n   c: 2", "line 3, column 4: indented more than its siblings"},
      {"a:\n  - b\n c: 2", "line 3, column 2: indented more than its siblings"},
      {"a: |\n   \n  x\n", "line 3, column 3: a block scalar that starts with a longer blank line"},
      {"|\nx\n", "line 2, column 1: a block scalar that is not indented"},
      {"a:\n\tb: 1", "line 2, column 1: a tab as indentation"},
      {"a: {\n\tb: 1}", "line 2, column 2: a tab as indentation"},
      {"a: 'b'#c", "line 1, column 7: text where the line should end"},
      {"a: [b]c", "line 1, column 7: text where the line should end"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(printable(c.yaml));
    EXPECT_EQ(read(c.yaml), c.message);
  }
}

TEST(ParseYaml, RefusesWhatIsNotYaml) {
  const struct {
    std::string yaml;
    Kind error;
  } cases[] = {
      {"a: [1", Kind::syntax},
      {"a: 'x", Kind::syntax},
      {"a: \"\\q\"", Kind::bad_escape},
      {"a: \"\\ud800\"", Kind::lone_surrogate},
      {"a: \"\\ud800\\u0041\"", Kind::lone_surrogate},
      {"a: \"\\udc00\"", Kind::lone_surrogate},
      {"a: \"\\U00110000\"", Kind::bad_escape},
      {"a: \"\\x4\"", Kind::bad_escape},
      {"a: |x\n b", Kind::syntax},
      {"a: |0\n b", Kind::syntax},
      {"a: |11\n b", Kind::syntax},
      {"a: [b\n---\n]", Kind::syntax},
      {"a: 'b\n---\n'", Kind::syntax},
      {"[,]", Kind::syntax},
      {"[a b: c: d]", Kind::bad_key},
      {"{? : d}", Kind::bad_key},
      {"{?}", Kind::syntax},
      {"[- a]", Kind::syntax},
      {"[a}", Kind::syntax},
      {"{a: b c]", Kind::syntax},
      {"--- a: b", Kind::syntax},
      {"... x", Kind::syntax},
      {"a: - b", Kind::syntax},
      {"a: `b", Kind::syntax},
      {"a: %b", Kind::syntax},
      {"a:\n\t- b", Kind::syntax},
      {"a: b: c", Kind::syntax},
      {"a: @b", Kind::syntax},
      {"- a\nb: c", Kind::syntax},
      {"a: 1\n b: 2", Kind::syntax},
      {"]", Kind::syntax},
      {"\xEF\xBB\xBF"
       "a: 1",
       Kind::byte_order_mark},
      {"a: \xff", Kind::not_utf8},
      {std::string("a: \0b", 5), Kind::control_character},
      {"a: \x1b[2J", Kind::control_character},
      {"a: x\ry", Kind::control_character},
      {"a: x\u0085y", Kind::control_character},
      {"a: x\u2028y", Kind::control_character},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(printable(c.yaml));
    const auto value = parse_yaml(c.yaml);
    EXPECT_EQ(error_kind(value), c.error) << read(c.yaml);
  }
}

// What the library behind an earlier version of this reader got wrong.
TEST(ParseYaml, ReadsOddLayoutsAsTheyAre) {
  const struct {
    std::string yaml;
    std::string json;
  } cases[] = {
      {"a: 'x''''y'", R"({"a":"x''y"})"},
      {"a: |\n\n  x\n", R"({"a":"\nx\n"})"},
      {"a: >\n  x\n\n   y\n", R"({"a":"x\n\n y\n"})"},
      {"a: >\n  x\n   y\n  z\n  w", R"({"a":"x\n y\nz w\n"})"},
      {"a: >\n\n  x\n\n\n  y", R"({"a":"\nx\n\ny\n"})"},
      {"a: \"x\\ \n  y\"", R"({"a":"x  y"})"},
      {"a: \"x \\\n\n  \\ y\"", R"({"a":"x \n y"})"},
      {"|\n # x\n", R"("# x\n")"},
      {"--- |\n x", R"("x\n")"},
      {"--- |1\n  x", R"(" x\n")"},
      {"a:\n  - |\n  - x\n", R"({"a":["","x"]})"},
      {"- a: |\n  b: x\n", R"([{"a":"","b":"x"}])"},
      {"- |\n- x\n", R"(["","x"])"},
      {"- |2\n   x\n- - |1\n    x", R"([" x\n",[" x\n"]])"},
      {"a: |+", R"({"a":""})"},
      {"a: |+\n\n", R"({"a":"\n"})"},
      {"a: |-2 # c\n   x\n# c\nb: >1-\n y", R"({"a":" x","b":"y"})"},
      {"? a\n: b\n? c\n? |\n  d\n: - e\n  - f\n? 'g'\n:\n  h: i",
       R"({"a":"b","c":null,"d\n":["e","f"],"g":{"h":"i"}})"},
      {"? long\n  key\n: k: v\n  l: w\nx: y", R"({"long key":{"k":"v","l":"w"},"x":"y"})"},
      {"a:\n- b\n- c: 1\n  d: 2\n-\n- - e\n  - f\ng: h",
       R"({"a":["b",{"c":1,"d":2},null,["e","f"]],"g":"h"})"},
      {"{\"a\":b, 'c' :d, e\n : f, g: [h,\n i], j\n k: l, ? m : n, ? o}",
       R"({"a":"b","c":"d","e":"f","g":["h","i"],"j k":"l","m":"n","o":null})"},
      {"[a:b, c#d, -e, ?f, :g, \"h\":i, j: ]",
       R"(["a:b","c#d","-e","?f",":g",{"h":"i"},{"j":null}])"},
      {"a: {\n  b: c\n}\nd: [\n]", R"({"a":{"b":"c"},"d":[]})"},
      {"{\n\t\"a\": 1\n}", R"({"a":1})"},
      {"a: b # c\n# d\n  # e\nf: g", R"({"a":"b","f":"g"})"},
      {"  a: 1\n  b: 2", R"({"a":1,"b":2})"},
      {"a: -b\nc: ?d\ne: :f", R"({"a":"-b","c":"?d","e":":f"})"},
      {"'a' : \"b\"\n\"c\"  : d", R"({"a":"b","c":"d"})"},
      {"---\n- a\n...\n# end", R"(["a"])"},
      {"\"\\a\\b\\t\\n\\v\\f\\r\\N\\_\\L\\P\\\t\"",
       "\"\\u0007\\b\\t\\n\\u000b\\f\\r\u0085\u00a0\u2028\u2029\\t\""},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(printable(c.yaml));
    EXPECT_EQ(read(c.yaml), c.json);
  }
}

TEST(ParseYaml, KnowsWhereValuesAre) {
  const Value value = *parse_yaml("a: 1\r\né:\r\n  - 'x'\r\n  - {k: \"v\"}\r\n");
  EXPECT_EQ(value.position(), (Position{1, 1, 0}));
  EXPECT_EQ(value.find("a")->position(), (Position{1, 4, 3}));
  const Value::Array& list = *value.find("é")->as_array();
  EXPECT_EQ(list[0].position(), (Position{3, 5, 15}));
  EXPECT_EQ(list[1].position(), (Position{4, 5, 24}));
  EXPECT_EQ(list[1].find("k")->position(), (Position{4, 9, 28}));
}

TEST(ParseYaml, KeepsTheLimits) {
  const auto flow = [](std::size_t n) { return std::string(n, '[') + std::string(n, ']'); };
  const auto block = [](std::size_t n) {
    std::string text;
    for (std::size_t i = 0; i < n; ++i) text += "- ";
    return text + "x";
  };
  EXPECT_TRUE(parse_yaml(flow(64)));
  EXPECT_EQ(error_kind(parse_yaml(flow(65))), Kind::too_deep);
  EXPECT_TRUE(parse_yaml(block(64)));
  EXPECT_EQ(error_kind(parse_yaml(block(65))), Kind::too_deep);
  EXPECT_EQ(error_kind(parse_yaml(block(100'000))), Kind::too_deep);
  EXPECT_TRUE(parse_yaml(flow(json::kDepthCeiling), {.max_depth = 100'000}));
  EXPECT_FALSE(parse_yaml(flow(json::kDepthCeiling + 1), {.max_depth = 100'000}));
  EXPECT_TRUE(parse_yaml("[a, {b: c}]", {.max_nodes = 4}));
  EXPECT_EQ(error_kind(parse_yaml("[a, {b: c}]", {.max_nodes = 3})), Kind::too_many_nodes);
  EXPECT_TRUE(parse_yaml("abc", {.max_bytes = 3}));
  EXPECT_EQ(error_kind(parse_yaml("abcd", {.max_bytes = 3})), Kind::too_large);
  EXPECT_EQ(error_kind(parse_yaml(std::string((16U << 20U) + 1, ' '))), Kind::too_large);
}

// Each of these is quadratic in some reader; here they are over at once.
TEST(ParseYaml, ReadsHostileLayoutsInLinearTime) {
  const std::size_t many = 1'000'000;
  const std::string breaks(many, '\n');
  EXPECT_EQ(read("a:" + breaks + " b"), R"({"a":"b"})");
  EXPECT_EQ(parse_yaml("a: b" + breaks + " c")->find("a")->as_string()->size(), many + 1);
  EXPECT_EQ(error_kind(parse_yaml(std::string(many, '['))), Kind::too_deep);
  EXPECT_EQ(error_kind(parse_yaml("a: " + std::string(many, '"'))), Kind::syntax);
  EXPECT_TRUE(parse_yaml("a: " + std::string(many, '\'')));
  EXPECT_TRUE(parse_yaml("a: |" + breaks + std::string(many, ' ') + "x"));
  std::string keys;
  std::string colliding;
  for (std::size_t i = 0; i < 100'000; ++i) {
    keys += std::to_string(i) + ":\n";
    colliding += "same-head" + std::to_string(1'000'000 + i) + "same-tail:\n";
  }
  EXPECT_TRUE(parse_yaml(keys));
  EXPECT_EQ(error_kind(parse_yaml(keys + "77:")), Kind::duplicate_key);
  EXPECT_TRUE(parse_yaml(colliding));
  EXPECT_EQ(error_kind(parse_yaml(colliding + "same-head1000077same-tail: x")),
            Kind::duplicate_key);
  const std::string long_text(100'000, 'x');
  EXPECT_EQ(*parse_yaml("a: " + long_text)->find("a")->as_string(), long_text);
}

TEST(ParseYaml, ReadsJsonAsJson) {
  for (const std::string json :
       {R"({"a":[1,-2,3.5,1e3,-0],"b":{"c":null,"d":true}})",
        R"(["","\u00e9\ud83d\ude00\\\"\/\b\f\n\r\t\u0000",[[]],{}])", " [ 1 ,\n 2 ] \n"}) {
    EXPECT_EQ(read(json), json::write_json(*json::parse_json(json)));
  }
}

TEST(ParseYaml, SurvivesEveryDamagedByte) {
  std::size_t accepted = 0;
  for (std::size_t i = 0; i < kSample.size(); ++i) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string text = kSample;
      text[i] = static_cast<char>(byte);
      const auto value = parse_yaml(text);
      if (!value) {
        EXPECT_LE(value.error().at.offset, text.size());
        continue;
      }
      ++accepted;
      EXPECT_EQ(*json::parse_json(json::write_json(*value)), *value);
    }
  }
  EXPECT_GT(accepted, kSample.size());
}

}  // namespace
}  // namespace cg::yaml
