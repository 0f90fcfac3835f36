#include "edit/collate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace cg::edit {
namespace {

TEST(Collate, NamesAreSortedAsNpmSortsThem) {
  const std::vector<std::string> sorted = {"@a/b",
                                           "@a/b-c",
                                           "@a/bc",
                                           "_x",
                                           "a",
                                           "a_b",
                                           "a-b",
                                           "a.b",
                                           "a/b",
                                           "a0",
                                           "a1",
                                           "ab",
                                           "aB",
                                           "Ab",
                                           "AB",
                                           "abc",
                                           "b",
                                           "node_modules/a",
                                           "node_modules/A",
                                           "node_modules/a-b",
                                           "node_modules/a/node_modules/b",
                                           "node_modules/ab"};
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    for (std::size_t j = 0; j < sorted.size(); ++j) {
      const int way = collate(sorted[i], sorted[j]);
      if (sorted[i][0] == '_' || sorted[j][0] == '_') continue;  // below
      EXPECT_EQ(way < 0, i < j) << sorted[i] << " " << sorted[j];
      EXPECT_EQ(way == 0, i == j);
    }
  }
  EXPECT_LT(collate("_x", "@a"), 0);
  EXPECT_LT(collate("-", "@"), 0);
  EXPECT_LT(compare_members({"JSV"}, {"abbrev"}, Alphabet::bytes), 0);
  EXPECT_GT(compare_members({"JSV"}, {"abbrev"}, Alphabet::words), 0);
  EXPECT_LT(collate("z", "\xC3\xA9"), 0);
}

TEST(Collate, MembersAreTextsFirstThenObjectsEachWithItsOwnFirstOnes) {
  const std::vector<Ranked> sorted = {
      {"0", false},           {"12", true},       {"version", false}, {"resolved", false},
      {"cpu", false},         {"license", false}, {"requires", true}, {"packages", true},
      {"dependencies", true}, {"bin", true},      {"engines", true}};
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    for (std::size_t j = 0; j < sorted.size(); ++j) {
      EXPECT_EQ(compare_members(sorted[i], sorted[j], Alphabet::words) < 0, i < j) << i << " " << j;
    }
  }
}

}  // namespace
}  // namespace cg::edit
