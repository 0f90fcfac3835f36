// A template as a text: one spelling, and nothing else is taken.
#include <gtest/gtest.h>

#include <random>

#include "base/base/text.h"
#include "learn/carry/samples_test.h"

namespace cg::carry {
namespace {

Template learned() {
  const Sample one = sample("parcel", "unpack.js");
  auto out = learn(one.file(), one.after);
  EXPECT_TRUE(out);
  return out ? *std::move(out) : Template{};
}

std::string complaint(const Template& from) {
  const auto read = parse(write(from));
  return read ? "" : read.error();
}

std::string complaint(std::string_view json) {
  const auto read = parse(json);
  return read ? "" : read.error();
}

TEST(TemplateText, RefusesWhatItDoesNotKnow) {
  const std::string text = write(learned());
  EXPECT_EQ(complaint(text), "");
  EXPECT_EQ(complaint(" " + text), "it is not canonical");
  EXPECT_EQ(complaint(replaced(text, "\"quote\":", "\"quote\":\"'\",\"quoted\":")),
            "it has a key that is not known");
  EXPECT_EQ(complaint(replaced(text, "\"quote\":\"'\",", "")), "it lacks quote");
  EXPECT_EQ(complaint(replaced(text, "\"form\":\"import\"", "\"form\":\"export\"")),
            "it has a word that is not known");
  EXPECT_EQ(complaint(replaced(text, "\"takes\":\"made\"", "\"takes\":3")),
            "it has a word that is not known");
  EXPECT_EQ(complaint(replaced(text, "\"made\":[1]", "\"made\":[63]")),
            "it names a rule that it does not have");
  EXPECT_EQ(complaint(replaced(text, "\"made\":[1]", "\"made\":[-1]")),
            "it names a rule that it does not have");
  EXPECT_EQ(complaint(replaced(text, "\"indent\":\"  \"", "\"indent\":\"x\"")),
            "it has an indentation that is none");
  EXPECT_NE(complaint("[]"), "");
  EXPECT_NE(complaint(""), "");
}

TEST(TemplateText, RefusesRulesThatCannotBeMatched) {
  const auto with = [](std::string before, std::string after) {
    Template from = learned();
    from.rules[1].before = std::move(before);
    from.rules[1].after = std::move(after);
    return complaint(from);
  };
  EXPECT_EQ(with("new $1($2)", "$1.load($2)"), "");
  EXPECT_EQ(with("new $1($2", "$1.load($2)"), "it has a rule that does not parse");
  EXPECT_EQ(with("new $1($2)", ""), "it has a rule that does not parse");
  EXPECT_EQ(with("$1($2); f()", "$1($2)"), "it has a rule that does not parse");
  EXPECT_EQ(with("$1($2)) + (1", "$1($2)"), "it has a rule that is no expression");
  EXPECT_EQ(with("$1($2) /* x */", "$1($2)"), "it has a rule that has a comment");
  EXPECT_EQ(with("new $1($2)", "new $1($2) "), "it has a rule that has something around it");
  EXPECT_EQ(with("new $1($2)", "$1($2, $3)"),
            "it has a rule that has a hole that nothing is said of");
  EXPECT_EQ(with("new $1(2)", "$1(2)"), "it has a rule that has a hole that takes nothing");
  EXPECT_EQ(with("$1.$2($2)", "$1($2)"), "it has a rule that has a hole where none can be");
  EXPECT_EQ(with("$1($2)", "$1($2, $2)"), "it has a rule that moves what is no name");
  EXPECT_EQ(with("$1($2, 3)", "$1(3, $2)"), "it has a rule that moves what is no name");
  EXPECT_EQ(with("$1('$9')", "$1(`$9`, $2)"), "it has a rule that has a hole that takes nothing");
}

TEST(TemplateText, RefusesHolesThatNothingIsTakenInto) {
  const auto with = [](std::string before, std::string after) {
    Template from;
    from.indent = "  ";
    from.quote = "'";
    const Hole any{Takes::own, {}, {}, {}, {}};
    from.rules.push_back({Rule::Form::import, std::move(before), std::move(after), {any, any}, {}});
    return complaint(from);
  };
  const std::string whole = "import { a as $1, b as $2 } from 'm';";
  EXPECT_EQ(with(whole, whole), "");
  const std::string none = "it has a rule that has a hole where none can be";
  EXPECT_EQ(with("import { $1 as $2 } from 'm';", "import { a as $2 } from 'n';"), none);
  EXPECT_EQ(with("import { $1 as $2 } from 'm';", "import { $1 as $2 } from 'n';"), none);
  EXPECT_EQ(with("import { $1, b as $2 } from 'm';", "import { $1 } from 'm';"), none);
  EXPECT_EQ(with("import { a as $1, b as $2 } from 'm';", "import { $1 as $2 } from 'm';"), none);
}

TEST(TemplateText, RefusesRulesThatLoseOrRepeatWhatAFileDoes) {
  const auto with = [](std::string before, std::string after, Takes takes) {
    Template from;
    from.indent = "  ";
    from.quote = "'";
    const std::vector<Hole> holes{
        {Takes::package, "m", "*", {}, {}}, {Takes::name, {}, {}, {}, {}}, {takes, {}, {}, {}, {}}};
    from.rules.push_back({Rule::Form::use, std::move(before), std::move(after), holes, {}});
    return complaint(from);
  };
  const std::string before = "$1($2($3))";
  EXPECT_EQ(with(before, "$1.a($2($3))", Takes::value), "");
  EXPECT_EQ(with(before, "$1($3)", Takes::name),
            "it has a rule that loses what its file does on its own");
  EXPECT_EQ(with(before, "$1($2($3), $2($3))", Takes::name),
            "it has a rule that repeats what its file does on its own");
  EXPECT_EQ(with("$1(() => $2($3))", "$1(function () { return $2($3); })", Takes::value),
            "it has a rule that moves what is no name into another function");
}

TEST(TemplateText, HasBounds) {
  Template from = learned();
  from.rules.resize(kMaxRules + 1, from.rules[0]);
  EXPECT_EQ(complaint(from), "it has no rules, or too many");
  from.rules.clear();
  EXPECT_EQ(complaint(from), "it has no rules, or too many");
  from = learned();
  from.rules[0].holes.resize(kMaxHoles + 1, from.rules[0].holes[0]);
  EXPECT_EQ(complaint(from), "it has too many holes");
  from = learned();
  from.rules[0].before = std::string(kMaxRuleText + 1, ';');
  EXPECT_EQ(complaint(from), "it has a text that is too long");
  from.rules.assign(8, from.rules[0]);
  EXPECT_NE(complaint(from), "");
}

/// Damaged bytes are refused, or are another template that is as sound as any.
TEST(TemplateText, SurvivesDamage) {
  std::mt19937 random(7);
  const std::string text = write(learned());
  const Sample one = sample("parcel", "unpack.js");
  std::size_t refused = 0;
  for (int round = 0; round < 1500; ++round) {
    std::string damaged = text;
    for (std::size_t n = 1 + random() % 3; n > 0; --n) {
      const std::size_t at = random() % damaged.size();
      switch (random() % 3) {
        case 0:
          damaged[at] = static_cast<char>(random() % 128);
          break;
        case 1:
          damaged.erase(at, 1 + random() % 4);
          break;
        default:
          damaged.insert(at, damaged.substr(random() % damaged.size(), random() % 9));
      }
    }
    const auto read = parse(damaged);
    if (!read) {
      ++refused;
      continue;
    }
    EXPECT_EQ(write(*read), damaged);
    (void)apply(*read, one.file(), &api());
  }
  EXPECT_GE(refused, 1000U);
}

}  // namespace
}  // namespace cg::carry
