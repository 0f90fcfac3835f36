#include "vuln/advisory/rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cg::advisory {
namespace {

VersionKey key_of(std::string_view text) { return VersionKey(*parse_bound(text)); }

PackageRule sample() {
  return {"GHSA-968p-4wvh-cqc8",
          Level::moderate,
          false,
          {{key_of("0"), IntervalEnd::fixed, key_of("7.26.10")},
           {key_of("8.0.0-alpha.0"), IntervalEnd::fixed, key_of("8.0.0-alpha.17")},
           {key_of("9.0.0"), IntervalEnd::last_affected, key_of("9.1.0")},
           {key_of("10.0.0"), IntervalEnd::limit, key_of("10.5.0")},
           {key_of("11.0.0")}},
          {key_of("7.30.0"), key_of("7.31.0-beta.1")},
          {key_of("7.26.10"), key_of("8.0.0-alpha.17")}};
}

std::optional<RuleError::Kind> kind(std::string_view bytes) {
  const auto view = RuleView::parse(bytes);
  return view ? std::nullopt : std::optional(view.error().kind);
}

TEST(Rule, DecodesToWhatWasEncoded) {
  for (PackageRule rule : {sample(), PackageRule{"MAL-1", Level::critical, true, {}, {}, {}}}) {
    const std::string bytes = encode_rule(rule);
    const auto view = RuleView::parse(bytes);
    ASSERT_TRUE(view) << describe(view.error());
    EXPECT_EQ(view->decode(), rule);
    EXPECT_EQ(view->advisory(), rule.advisory);
    EXPECT_EQ(view->level(), rule.level);
    EXPECT_EQ(view->malware(), rule.malware);
  }
}

TEST(Rule, IsSmall) { EXPECT_LE(encode_rule(sample()).size(), 180U); }

TEST(Rule, TheViewAnswersAsTheRuleDoes) {
  const PackageRule rule = sample();
  const std::string bytes = encode_rule(rule);
  const auto view = RuleView::parse(bytes);
  ASSERT_TRUE(view);
  for (const char* text : {"0.0.0", "7.26.9", "7.26.10-rc.1", "7.26.10", "7.30.0", "7.31.0-beta.1",
                           "8.0.0-alpha.3", "8.0.0-alpha.17", "8.0.0", "9.0.0", "9.1.0", "9.1.1",
                           "10.4.9", "10.5.0", "11.0.0-beta", "11.0.0", "99.0.0"}) {
    EXPECT_EQ(view->evaluate(key_of(text)), evaluate(rule, key_of(text))) << text;
  }
  EXPECT_EQ(view->evaluate(key_of("7.0.0"))->fixed_in, key_of("7.26.10"));
  EXPECT_TRUE(view->evaluate(key_of("7.30.0"))->listed);
  EXPECT_FALSE(view->evaluate(key_of("7.26.10")));
}

TEST(Rule, EveryCutIsRefused) {
  const std::string bytes = encode_rule(sample());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(kind(std::string_view(bytes).substr(0, size)), std::nullopt) << size;
  }
  EXPECT_EQ(kind(bytes + '\0'), RuleError::Kind::trailing_data);
}

TEST(Rule, WhatIsAcceptedHasOneSpelling) {
  const std::string bytes = encode_rule(sample());
  std::size_t accepted = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int bit : {0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80}) {
      std::string other = bytes;
      other[i] = static_cast<char>(other[i] ^ bit);
      const auto view = RuleView::parse(other);
      if (!view) continue;
      ++accepted;
      EXPECT_EQ(encode_rule(view->decode()), other) << i;
    }
  }
  EXPECT_GT(accepted, 0U);
}

TEST(Rule, RefusesEachKindOfDamage) {
  const std::string good = encode_rule(sample());
  const auto with = [&](std::size_t at, char c) {
    std::string bytes = good;
    bytes[at] = c;
    return bytes;
  };
  const std::size_t intervals = 3 + sample().advisory.size();
  EXPECT_EQ(kind(with(0, '\x02')), RuleError::Kind::unknown_version);
  EXPECT_EQ(kind(with(1, '\x06')), RuleError::Kind::bad_flags);
  EXPECT_EQ(kind(with(1, '\x10')), RuleError::Kind::bad_flags);
  EXPECT_EQ(kind(with(4, ' ')), RuleError::Kind::bad_id);
  EXPECT_EQ(kind(with(intervals + 1, '\x04')), RuleError::Kind::bad_interval);
  EXPECT_EQ(kind(with(intervals + 2, '\x08')), RuleError::Kind::bad_key);
  EXPECT_EQ(kind(std::string("\x01\x00\x01"
                             "a\x80\x00",
                             6)),
            RuleError::Kind::too_large);
  EXPECT_EQ(kind(std::string("\x01\x00\x01"
                             "a\xff\xff\xff\xff\x01",
                             9)),
            RuleError::Kind::too_large);
  PackageRule unsorted = sample();
  std::swap(unsorted.fixed[0], unsorted.fixed[1]);
  EXPECT_EQ(kind(encode_rule(unsorted)), RuleError::Kind::not_sorted);
  EXPECT_EQ(kind(""), RuleError::Kind::truncated);
  EXPECT_EQ(kind(std::string(kMaxRuleBytes + 1, 'a')), RuleError::Kind::too_large);
}

}  // namespace
}  // namespace cg::advisory
