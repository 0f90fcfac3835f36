// Which fixes are to blame: by a world in which each of them breaks certain tests.
#include "flow/remediate/bisection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>

namespace cg::remediate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Some = std::vector<std::size_t>;
/// The tests that fail if these fixes are tried together.
using World = std::function<std::set<std::string>(const Some&)>;

struct Told {
  Some kept;
  Some blamed;
  std::vector<Some> tried;
};

Told tell(std::size_t count, const World& world) {
  Bisection bisection(count);
  Told out;
  while (const auto some = bisection.next()) {
    EXPECT_LE(out.tried.size(), most_tries(count));
    if (out.tried.size() > most_tries(count)) break;
    out.tried.push_back(*some);
    if (world(*some).empty()) {
      bisection.passed();
    } else {
      bisection.failed();
    }
  }
  out.kept = bisection.kept();
  out.blamed = bisection.blamed();
  return out;
}

World breaks(std::map<std::size_t, std::set<std::string>> by_fix) {
  return [by_fix = std::move(by_fix)](const Some& some) {
    std::set<std::string> out;
    for (const std::size_t fix : some) {
      const auto at = by_fix.find(fix);
      if (at != by_fix.end()) out.insert(at->second.begin(), at->second.end());
    }
    return out;
  };
}

TEST(Bisection, WhatPassesTogetherIsKeptAtOnce) {
  const Told told = tell(5, breaks({}));
  EXPECT_THAT(told.kept, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(told.blamed, IsEmpty());
  EXPECT_EQ(told.tried.size(), 1U);
}

TEST(Bisection, GoesTheWayThatItsHeaderShows) {
  const Told told = tell(8, breaks({{5, {"a test"}}}));
  EXPECT_THAT(told.tried,
              ElementsAre(Some{0, 1, 2, 3, 4, 5, 6, 7}, Some{0, 1, 2, 3}, Some{0, 1, 2, 3, 4, 5},
                          Some{0, 1, 2, 3, 4}, Some{0, 1, 2, 3, 4, 6, 7}));
  EXPECT_THAT(told.blamed, ElementsAre(5));
  EXPECT_THAT(told.kept, ElementsAre(0, 1, 2, 3, 4, 6, 7));
}

TEST(Bisection, OneOfManyCostsOneWhereverItIs) {
  constexpr std::size_t kMany = 58;
  for (std::size_t bad = 0; bad < kMany; ++bad) {
    const Told told = tell(kMany, breaks({{bad, {"t"}}}));
    EXPECT_THAT(told.blamed, ElementsAre(bad));
    EXPECT_EQ(told.kept.size(), kMany - 1);
    EXPECT_LE(told.tried.size(), 8U) << bad;  // all, six halves, the rest
  }
}

TEST(Bisection, TwoThatBreakOtherTestsAreBothFound) {
  for (std::size_t one = 0; one < 16; ++one) {
    for (std::size_t other = one + 1; other < 16; ++other) {
      const Told told = tell(16, breaks({{one, {"a"}}, {other, {"b"}}}));
      EXPECT_THAT(told.blamed, ElementsAre(one, other));
      EXPECT_EQ(told.kept.size(), 14U);
    }
  }
}

TEST(Bisection, TwoThatBreakTheSameTestAreBothFound) {
  for (std::size_t one = 0; one < 16; ++one) {
    for (std::size_t other = one + 1; other < 16; ++other) {
      const Told told = tell(16, breaks({{one, {"a"}}, {other, {"a"}}}));
      EXPECT_THAT(told.blamed, ElementsAre(one, other));
      EXPECT_EQ(told.kept.size(), 14U);
    }
  }
}

/// Neither breaks anything alone.
TEST(Bisection, OfTwoThatDoNotBearEachOtherOneIsTakenOut) {
  for (std::size_t one = 0; one < 8; ++one) {
    for (std::size_t other = one + 1; other < 8; ++other) {
      const Told told = tell(8, [&](const Some& some) {
        const bool both = std::find(some.begin(), some.end(), one) != some.end() &&
                          std::find(some.begin(), some.end(), other) != some.end();
        return both ? std::set<std::string>{"a"} : std::set<std::string>{};
      });
      ASSERT_EQ(told.blamed.size(), 1U);
      EXPECT_TRUE(told.blamed[0] == one || told.blamed[0] == other);
      EXPECT_EQ(told.kept.size(), 7U);
    }
  }
}

TEST(Bisection, OneAloneIsKeptOrBlamed) {
  EXPECT_THAT(tell(1, breaks({})).kept, ElementsAre(0));
  const Told told = tell(1, breaks({{0, {"a"}}}));
  EXPECT_THAT(told.blamed, ElementsAre(0));
  EXPECT_EQ(told.tried.size(), 1U);
  EXPECT_THAT(tell(0, breaks({})).tried, IsEmpty());
}

/// Something that has nothing to do with any of them: it must end all the same.
TEST(Bisection, EndsWhereEverythingFails) {
  for (std::size_t count = 1; count <= 64; ++count) {
    const Told told = tell(count, [](const Some&) { return std::set<std::string>{"always"}; });
    EXPECT_THAT(told.kept, IsEmpty());
    EXPECT_EQ(told.blamed.size(), count);
  }
}

TEST(Bisection, InAnyWorldNothingIsLostAndWhatIsKeptHasPassed) {
  std::mt19937_64 random(14);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t count = 1 + random() % 40;
    std::map<std::size_t, std::set<std::string>> by_fix;
    for (std::size_t i = random() % 6; i > 0; --i) {
      by_fix[random() % count].insert(std::string(1, static_cast<char>('a' + random() % 3)));
    }
    const World world = breaks(by_fix);
    const Told told = tell(count, world);
    EXPECT_EQ(told.kept.size() + told.blamed.size(), count);
    EXPECT_THAT(world(told.kept), IsEmpty());
    EXPECT_TRUE(told.kept.empty() ||
                std::find(told.tried.begin(), told.tried.end(), told.kept) != told.tried.end());
  }
}

}  // namespace
}  // namespace cg::remediate
