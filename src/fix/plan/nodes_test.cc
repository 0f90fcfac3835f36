#include "fix/plan/nodes.h"

#include <gtest/gtest.h>

namespace cg::plan {
namespace {

semver::Range range_of(const std::string& text) {
  return semver::Range::parse(text, {.loose = true}).value();
}

struct NodesCase {
  const char* repository;
  const char* package;
  const char* left_out;
  std::vector<const char*> before = {};
};

TEST(Nodes, NamesThoseThatAPackageLeavesOut) {
  const NodesCase cases[] = {
      // Every node that is named.
      {">=14", ">=14", ""},
      {">=18", ">=14", ""},
      {"18.x", "*", ""},
      {"18.x", "^18 || ^20", ""},
      {">=18", ">=18.17", "18.0 to 18.16"},
      {">=18", ">=18.17.1", "18.0.0 to 18.17.0"},
      {">=18.16.2", ">=18.16.3", "18.16.2"},
      {">18.0.0", ">=18.1", "18.0.1 and later of 18.0"},
      {">18.0.0", ">=18.2", "18.0.1 to 18.1"},
      {"14.x", ">=18", "14"},
      {"^14 || ^18", ">=20", "14, 18"},
      {">=14 <20", ">=18.17", "14 to 18.16"},
      {">=14.5 <20", ">=18", "14.5 to 16"},
      {">=14.5 <15", "<14.4", "14 from 14.5 on"},
      {">=10", ">=20", "10 to 18"},
      {">=0.10", ">=6", "0.10 to 4"},
      {"0.10.x", ">=0.10.5", "0.10.0 to 0.10.4"},
      {"18.20.1", "18.20.1 || 20", ""},
      {"18.20.1", ">=18.20.2", "18.20.1"},
      // A hole inside of a line.
      {"18.x", "18.0 - 18.4 || >=18.10", "18.5 to 18.9"},
      {"18.x", "<18.5.2 || >=18.5.4", "18.5.2 to 18.5.3"},
      // Nobody runs an odd line, unless it is named.
      {">=14", "^14 || >=16", ""},
      {">=14", "^14.0.0 || ^16.0.0 || >=18.0.0", ""},
      {"14 || 15 || 16", "^14 || >=16", "15"},
      {">=15", ">=16", "15"},
      {"15", ">=15.14", "15.0 to 15.13"},
      {"1.x", ">=18", ""},
      // A line that has ended ends where it did; others go on, and so do the majors.
      {"18.x", "<=18.20.8", ""},
      {"18.x", "<=18.20.7", "18 from 18.20.8 on"},
      {"22.x", "<=22.99.99", "22 from 22.99.100 on"},
      {">=18", "^18 || ^20 || ^22", "24 and later"},
      {">=18", "18 || 20 || 22 || >=24", ""},
      {">=18", "18 || 20 || 22 || 24 || 26", "27 and later"},
      {">=18", ">=18 <99", "99.0 and later"},
      {">=18", ">=18 <27 || >=29.3", "27 to before 29.3"},
      {">=18 <27", "18 || 20 || 22 || 24 || 26", ""},
      {">=18", ">=99", "18 to before 99.0"},
      {">=18", "<10", "18 and later"},
      {"99.x", ">=18", ""},
      {"99.x", "<99", "99.0 to before 100.0"},
      // No node in particular.
      {"*", ">=99", ""},
      {">=0.0.0", ">=18", ""},
      {"", ">=18", ""},
      {">=18", "", ""},
      // What is left out already is no loss.
      {">=14", ">=18", "", {">=18"}},
      {">=14", ">=18", "", {">=20"}},
      {">=14", ">=18", "16", {">=16 <17 || >=18"}},
      {">=14", ">=18.17", "18.0 to 18.16", {">=18"}},
      {">=14", ">=20", "18", {">=18", ">=16"}},
      {">=14", "^18", "20 and later", {">=18"}},
  };
  for (const NodesCase& c : cases) {
    SCOPED_TRACE(std::string(c.repository) + " and " + c.package);
    std::vector<semver::Range> before;
    for (const char* text : c.before) before.push_back(range_of(text));
    EXPECT_EQ(left_out(range_of(c.repository), range_of(c.package), before), c.left_out);
  }
}

TEST(Nodes, TellsSixGapsAndRefusesARangeThatIsTooLong) {
  EXPECT_EQ(left_out(range_of("4 || 8 || 12 || 16 || 20 || 24 || 99"), range_of("5"), {}),
            "4, 8, 12, 16, 20, 24 and others");
  std::string many = "18.0.0";
  for (int i = 1; i < 64; ++i) many += " || 18.0." + std::to_string(i);
  EXPECT_EQ(left_out(range_of("18.0.0"), range_of(many), {}), "");
  many += " || 18.1.0";
  EXPECT_EQ(left_out(range_of("18.0.0"), range_of(many), {}),
            "all of them, for all that can be told,");
  EXPECT_EQ(left_out(range_of(many), range_of(">=18"), {}),
            "all of them, for all that can be told,");
}

TEST(Nodes, SpellsARange) {
  EXPECT_EQ(text_of(range_of(">=18.17")), ">=18.17.0");
  EXPECT_EQ(text_of(range_of("^14 || >=16")), ">=14.0.0 <15.0.0 || >=16.0.0");
  EXPECT_EQ(text_of(range_of("16.0.0-0")), "16.0.0");
  EXPECT_EQ(text_of(range_of("*")), "*");
  EXPECT_EQ(
      text_of(range_of("1.1.1 || 2.1.1 || 3.1.1 || 4.1.1 || 5.1.1 || 6.1.1 || 7.1.1 || 8.1.1 || "
                       "9.1.1 || 10.1.1")),
      "1.1.1 || 2.1.1 || 3.1.1 || 4.1.1 || 5.1.1 || 6.1.1 || 7.1.1 || 8.1.1 || 9.1.1 ||...");
}

}  // namespace
}  // namespace cg::plan
