#include "fix/report/case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base/text.h"
#include "base/json/json.h"
#include "fix/report/report.h"
#include "fix/report/samples.h"

namespace cg::report {
namespace {

using json::Value;
using test::fixed_case;
using test::mixed_case;
using test::nasty_case;
using ::testing::HasSubstr;

std::string text_of(const Case& c) { return json::write_json_pretty(to_json(c)); }

TEST(Case, ReadsBackWhatItWrites) {
  for (const Case& c : {Case{}, fixed_case(), mixed_case(), nasty_case("a\n<b>\"\\")}) {
    const std::string text = text_of(c);
    const auto back = from_json(text);
    ASSERT_TRUE(back.has_value()) << back.error();
    EXPECT_EQ(text_of(*back), text);
  }
}

TEST(Case, TextThatIsNotUtf8IsStillJson) {
  const std::string text = text_of(nasty_case("\xFF\xC0 x"));
  EXPECT_TRUE(from_json(text).has_value());
}

TEST(Case, SaysWhatTheContractNames) {
  const Value value = to_json(mixed_case());
  EXPECT_EQ(*value.find("schema")->as_string(), "codegenie/remediate/v1");
  EXPECT_EQ(*value.find("outcome")->as_string(), "partly_fixed");
  EXPECT_EQ(*value.find("tier")->as_string(), "recipe");
  EXPECT_EQ(value.find("branches")->as_array()->size(), 2U);
  const Value& gate = value.find("gates")->as_array()->front();
  EXPECT_EQ(*gate.find("signal")->as_string(), "tests");
  EXPECT_EQ(gate.find("passed")->as_bool(), true);
  EXPECT_EQ(json::write_json(*gate.find("after")), R"({"passed":184})");
  EXPECT_EQ(*value.find("isolation_class")->as_string(), "namespaces");
  EXPECT_EQ(json::write_json(*value.find("spend")),
            R"({"tokens":0,"usd":"0.00","replayed":{"tokens":0,"usd":"0.00"}})");
  EXPECT_EQ(value.find("exit")->as_int(), 7);
  const Value& fixed = value.find("copies")->as_array()->at(1);
  EXPECT_EQ(*fixed.find("strategy")->as_string(), "override");
  EXPECT_EQ(*fixed.find("verdict")->as_string(), "fixed");
  EXPECT_TRUE(fixed.find("blocker")->is_null());
  EXPECT_EQ(fixed.find("step")->as_int(), 2) << "steps are numbered on from plan to plan";
  const Value& open = value.find("copies")->as_array()->at(2);
  EXPECT_TRUE(open.find("to")->is_null());
  EXPECT_TRUE(open.find("strategy")->is_null());
  EXPECT_EQ(*open.find("blocker")->as_string(), "no_version");
}

/// Every key of every object, one at a time: missing, renamed, of another type.
void damage(const Value& value, const std::function<void(Value)>& with) {
  if (const auto* object = value.as_object()) {
    for (std::size_t i = 0; i < object->size(); ++i) {
      Value::Object changed = *object;
      changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(i));
      with(changed);
      changed = *object;
      changed[i].first += "2";
      with(changed);
      changed = *object;
      changed[i].second = 0.5;
      with(changed);
      damage((*object)[i].second, [&](Value inner) {
        Value::Object outer = *object;
        outer[i].second = std::move(inner);
        with(outer);
      });
    }
    Value::Object more = *object;
    more.emplace_back("more", 1);
    with(more);
  }
  if (const auto* array = value.as_array()) {
    for (std::size_t i = 0; i < array->size(); ++i) {
      damage((*array)[i], [&](Value inner) {
        Value::Array outer = *array;
        outer[i] = std::move(inner);
        with(outer);
      });
    }
  }
}

TEST(Case, IsClosed) {
  std::size_t tried = 0;
  Case c = mixed_case();
  // What a gate counted has names of its own.
  for (Gate& gate : c.gates) gate.before = gate.after = Value();
  damage(to_json(c), [&](const Value& changed) {
    ++tried;
    const auto read = from_json(json::write_json(changed));
    ASSERT_FALSE(read.has_value()) << json::write_json(changed);
    EXPECT_EQ(printable(read.error()), read.error());
  });
  EXPECT_GT(tried, 400U);
}

TEST(Case, RefusesWordsAndNumbersOutOfPlace) {
  const std::string text = json::write_json(to_json(mixed_case()));
  const auto refused = [&](const std::string& from, const std::string& to, const char* why) {
    std::string changed = text;
    const std::size_t at = changed.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    changed.replace(at, from.size(), to);
    const auto read = from_json(changed);
    ASSERT_FALSE(read.has_value()) << to;
    EXPECT_THAT(read.error(), HasSubstr(why));
  };
  refused("\"partly_fixed\"", "\"perhaps\"", "outcome is not a known word");
  refused("\"01JCN4Q", "\"../etc/01", "workflow is not an id");
  refused("\"usd\":\"0.00\"", "\"usd\":\"lots\"", "spend.usd");
  refused("\"exit\":7", "\"exit\":700", "exit");
  refused("\"step\":1", "\"step\":9", "copies.step");
  refused("\"steps\":[1]", "\"steps\":[0]", "commits.steps");
  refused("\"gates\":[", "\"gates\":[1,", "gates");
  refused("{\"passed\":184}", "{\"passed\":[]}", "before");
  refused("\"branches\":[\"", "\"branches\":[\"x", "branches");
  refused("codegenie/remediate/v1", "codegenie/remediate/v2", "schema");
  refused("2026-11-15T02:40:11.000Z", "yesterday", "started is not a time");
}

TEST(Case, EveryCutIsRefused) {
  const std::string text = json::write_json(to_json(fixed_case()));
  for (std::size_t n = 0; n < text.size(); ++n) {
    ASSERT_FALSE(from_json(std::string_view(text).substr(0, n)).has_value()) << n;
  }
}

TEST(Plan, IsTheSameForTheSameDecisions) {
  Case other = mixed_case();
  other.workflow = "01JCN4Q0000000000000000001";
  other.ended = other.started = Time{0};
  other.repo = "elsewhere";
  other.tool = "codegenie 9";
  other.index.digest = "blake3:else";
  other.branches[0].commit = "";
  EXPECT_EQ(plan_text(other), plan_text(mixed_case()));
  EXPECT_EQ(commit_message(other, other.branches[0]),
            commit_message(mixed_case(), mixed_case().branches[0]));
  other.copies[0].considered[0].answer += "!";
  EXPECT_NE(plan_text(other), plan_text(mixed_case()));
}

TEST(Plan, OfABranchHoldsItsPartAlone) {
  const Case c = mixed_case();
  const auto second = json::parse_json(plan_text(c, c.branches[1]));
  ASSERT_TRUE(second.has_value());
  ASSERT_EQ(second->find("copies")->as_array()->size(), 1U);
  const Value& copy = second->find("copies")->as_array()->front();
  EXPECT_EQ(*copy.find("package")->as_string(), "qs");
  EXPECT_EQ(copy.find("step")->as_int(), 1);
  EXPECT_EQ(second->find("steps")->as_array()->size(), 1U);
  EXPECT_EQ(second->find("overrides")->as_array()->size(), 1U);
  const auto first = json::parse_json(plan_text(c, c.branches[0]));
  EXPECT_TRUE(first->find("overrides")->as_array()->empty());
  EXPECT_NE(plan_digest(c, c.branches[0]), plan_digest(c, c.branches[1]));
}

}  // namespace
}  // namespace cg::report
