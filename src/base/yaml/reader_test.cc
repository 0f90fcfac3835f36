#include "base/yaml/reader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "base/json/json.h"
#include "support/support.h"

namespace cg::yaml {
namespace {

namespace fs = std::filesystem;
using Type = YamlEvent::Type;

const Limits kLarge = {.max_bytes = 64U << 20U, .max_nodes = 10'000'000};

/// One word per event: "+map", "=text", "key:", with the bytes it stands at.
std::string events(std::string_view text) {
  std::string out;
  YamlReader reader(text);
  for (;;) {
    const YamlEvent& event = reader.next();
    const std::string place = "@" + std::to_string(event.begin) + " ";
    switch (event.type) {
      case Type::stream_end:
        return out;
      case Type::failed:
        return out + describe(reader.error());
      case Type::document_start:
        out += "+doc" + place;
        break;
      case Type::document_end:
        out += "-doc ";
        break;
      case Type::mapping_start:
        out += "+map" + place;
        break;
      case Type::mapping_end:
        out += "-map ";
        break;
      case Type::sequence_start:
        out += "+seq" + place;
        break;
      case Type::sequence_end:
        out += "-seq ";
        break;
      case Type::key:
        out += std::string(event.text) + ":" + place;
        break;
      case Type::scalar:
        out += "=" + std::string(event.text) + place;
        break;
    }
  }
}

/// All scalars as text, a null for a document that is empty.
Value node(YamlReader& reader) {
  const Type type = reader.event().type;
  if (type == Type::sequence_start) {
    Value::Array items;
    while (reader.next().type != Type::sequence_end && reader.event().type != Type::failed) {
      items.push_back(node(reader));
    }
    return items;
  }
  if (type != Type::mapping_start) return reader.event().text;
  Value::Object members;
  while (reader.next().type != Type::mapping_end && reader.event().type != Type::failed) {
    std::string key(reader.event().text);
    reader.next();
    members.emplace_back(std::move(key), node(reader));
  }
  return members;
}

/// The documents of a stream, or the error as a text.
Value documents(std::string_view text) {
  Value::Array out;
  YamlReader reader(text, kLarge);
  while (reader.next().type == Type::document_start) {
    reader.next();
    out.push_back(node(reader));
    reader.next();
  }
  if (reader.event().type == Type::failed) return describe(reader.error());
  return out;
}

TEST(YamlReader, GivesEventsWithTheirPlaces) {
  EXPECT_EQ(events("a: 1\n'b':\n  - \"c\"\n  - {d: }\n"),
            "+doc@0 +map@0 a:@0 =1@3 b:@5 +seq@12 =c@14 +map@22 d:@23 =@25 -map -seq -map -doc ");
  EXPECT_EQ(events("--- x\n---\n[y: z]\n..."),
            "+doc@0 =x@4 -doc +doc@6 +seq@10 +map@11 y:@11 =z@14 -map -seq -doc ");
  EXPECT_EQ(events(""), "");
  EXPECT_EQ(events("# only\n"), "");
  EXPECT_EQ(events("---"), "+doc@0 =@3 -doc ");
}

TEST(YamlReader, PointsIntoTheTextWhereNothingIsDecoded) {
  const std::string text = "plain: 'single'\n\"double\": \"\\x41\"\nblock: |\n  x\n";
  YamlReader reader(text);
  std::string seen;
  while (reader.next().type != Type::stream_end) {
    const YamlEvent& event = reader.event();
    ASSERT_NE(event.type, Type::failed);
    if (event.type != Type::key && event.type != Type::scalar) continue;
    seen += event.in_source ? '+' : '-';
    if (event.in_source) {
      EXPECT_GE(event.text.data(), text.data() + event.begin);
      EXPECT_LE(event.text.data() + event.text.size(), text.data() + event.end);
    }
  }
  EXPECT_EQ(seen, "+++-+-");
}

TEST(YamlReader, SkipsWhatIsNotWanted) {
  YamlReader reader("a: {b: [c, d], e: {}}\nf: g");
  reader.next();
  reader.next();
  EXPECT_EQ(reader.next().text, "a");
  reader.next();
  EXPECT_TRUE(reader.skip());
  EXPECT_EQ(reader.event().type, Type::mapping_end);
  EXPECT_EQ(reader.next().text, "f");
  reader.next();
  EXPECT_TRUE(reader.skip());
  EXPECT_EQ(reader.event().text, "g");

  YamlReader broken("a: [b, c");
  broken.next();
  broken.next();
  broken.next();
  broken.next();
  EXPECT_FALSE(broken.skip());
  EXPECT_EQ(broken.next().type, Type::failed);
}

// --- another reader's answers ---

constexpr const char* kOracle = R"(
import json, sys, yaml
def value(node):
    if node is None: return ''
    if isinstance(node, yaml.ScalarNode): return node.value
    if isinstance(node, yaml.SequenceNode): return [value(item) for item in node.value]
    return dict((value(k), value(v)) for k, v in node.value)
def documents(text):
    try: return [value(node) for node in yaml.compose_all(text, Loader=yaml.CBaseLoader)]
    except yaml.YAMLError: return None
json.dump([documents(text) for text in json.load(sys.stdin)], sys.stdout, ensure_ascii=False)
)";

Value::Array ask_oracle(Value::Array texts) {
  const test::Ran python = test::run({"/usr/bin/python3", "-I", "-c", kOracle}, {},
                                     json::write_json(Value(std::move(texts))));
  EXPECT_EQ(python.exit, 0) << python.err;
  const auto answers = json::parse_json(python.out, kLarge);
  return answers && answers->is_array() ? *answers->as_array() : Value::Array{};
}

const std::string_view kFragments[] = {"a",
                                       "b: ",
                                       "c:\n",
                                       "- ",
                                       "- x\n",
                                       "\n",
                                       "  ",
                                       "    ",
                                       " ",
                                       "# c\n",
                                       " # c\n",
                                       "[",
                                       "]",
                                       "{",
                                       "}",
                                       ", ",
                                       ": ",
                                       ":",
                                       "'q'",
                                       "'it''s'",
                                       "\"d\"",
                                       "\"e\\n\"",
                                       "\"x\\\n  y\"",
                                       "|\n",
                                       ">\n",
                                       "|-\n",
                                       ">+\n",
                                       "|2\n",
                                       "? ",
                                       "? k\n: v\n",
                                       "---\n",
                                       "...\n",
                                       "--- ",
                                       "k: v\n",
                                       "long text\n",
                                       "  more: 1\n",
                                       "  - i\n",
                                       "x y",
                                       "\n\n",
                                       "?",
                                       "-",
                                       "\"m\n  n\"",
                                       "'m\n\n  n'",
                                       "key: |\n  lit\n   more\n",
                                       "f: >\n  fo\n  ld\n\n  x\n   y\n",
                                       "\r\n",
                                       "é",
                                       "[a, b]",
                                       "{a: b, c: d}",
                                       "[x: y]",
                                       "{'a': 1,\n  b: 2}\n",
                                       " \n",
                                       "   \n",
                                       "\\",
                                       "\"",
                                       "'",
                                       "#",
                                       "- - z\n",
                                       "- k: v\n  l: w\n",
                                       "~"};

TEST(YamlReader, AgreesWithAnotherReaderOnGeneratedText) {
  std::mt19937 random(1);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same texts every time
  Value::Array texts;
  for (int i = 0; i < 30'000; ++i) {
    std::string text;
    for (std::size_t n = 1 + random() % 12; n > 0; --n) {
      text += kFragments[random() % std::size(kFragments)];
    }
    text += '\n';
    // What we refuse, it may accept; only what both accept can be compared.
    if (documents(text).is_array()) texts.emplace_back(std::move(text));
  }
  const Value::Array answers = ask_oracle(texts);
  ASSERT_EQ(answers.size(), texts.size());
  std::size_t compared = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (answers[i].is_null()) continue;
    ++compared;
    EXPECT_EQ(json::write_json(documents(*texts[i].as_string())), json::write_json(answers[i]))
        << *texts[i].as_string();
  }
  // It knows YAML 1.1 alone and so refuses a little more: documents after `...`.
  EXPECT_GT(compared, texts.size() * 9 / 10);
  EXPECT_GT(compared, 3'000U);
}

constexpr const char* kWriter = R"(
import json, random, sys, yaml
rand = random.Random(2)
words = ['', 'a', 'key', 'two words', ' lead', 'trail ', 'a: b', 'a #b', '- x', '#', "it's", '"', '\\',
  'é', '\U0001F600', 'line\nbreak', 'end\n', '\n', '\n\nx', ' \n y', 'x\n  y\nz\n\n', '\t', 'a\tb', '?', '!x', '&x',
  '*x', '%', '@', '[', '{}', 'null', '12', '~', '<<x', 'x' * 200, 'word ' * 40, '\x07', '\xa0', '...', '---', '=']
def make(depth):
    kind = rand.random()
    if depth == 0 or kind < 0.4: return rand.choice(words)
    if kind < 0.7: return [make(depth - 1) for _ in range(rand.randrange(4))]
    return {rand.choice(words): make(depth - 1) for _ in range(rand.randrange(4))}
out = []
for i in range(3000):
    value = make(4)
    text = yaml.dump(value, default_style=rand.choice([None, None, None, "'", '"', '|', '>']),
        default_flow_style=rand.choice([None, True, False]), indent=rand.choice([2, 3, 4]),
        width=rand.choice([20, 40, 80, 10000]), allow_unicode=rand.choice([True, False]),
        explicit_start=rand.choice([True, False]), sort_keys=False)
    # At a width of 20 it writes some scalars wrongly.
    if '!' not in text.replace('!x', '') and yaml.load(text, Loader=yaml.CBaseLoader) == value: out.append([text, value])
json.dump(out, sys.stdout)
)";

TEST(YamlReader, ReadsWhatAnotherProgramWrites) {
  const test::Ran python = test::run({"/usr/bin/python3", "-I", "-c", kWriter});
  ASSERT_EQ(python.exit, 0) << python.err;
  const auto pairs = json::parse_json(python.out, kLarge);
  ASSERT_TRUE(pairs);
  EXPECT_GT(pairs->as_array()->size(), 1'500U);
  for (const Value& pair : *pairs->as_array()) {
    const Value::Array& both = *pair.as_array();
    EXPECT_EQ(json::write_json(documents(*both[0].as_string())),
              "[" + json::write_json(both[1]) + "]")
        << *both[0].as_string();
  }
}

bool is_yaml(const fs::path& path) {
  if (path.extension() == ".yaml" || path.extension() == ".yml") return true;
  return path.filename() == "yarn.lock" && test::read(path).find("\n__metadata:") < 1000;
}

TEST(YamlReader, AgreesWithAnotherReaderOnRealFiles) {
  const auto data = test::data_dir();
  if (!data) {
    GTEST_SKIP() << "CG_DATA is not set: the real lockfiles are not there";
  }
  Value::Array texts;
  for (const auto& entry : fs::recursive_directory_iterator(*data / "repos")) {
    if (entry.is_regular_file() && is_yaml(entry.path())) {
      texts.emplace_back(test::read(entry.path()));
    }
  }
  EXPECT_GT(texts.size(), 20U);
  const Value::Array answers = ask_oracle(texts);
  ASSERT_EQ(answers.size(), texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Value ours = documents(*texts[i].as_string());
    EXPECT_TRUE(ours == answers[i]) << texts[i].as_string()->substr(0, 200);
  }
}

}  // namespace
}  // namespace cg::yaml
