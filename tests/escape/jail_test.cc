// Every act, in a jail: it ends as the table says, and the host shows no trace of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "trial.h"

namespace cg::escape {
namespace {

using testing::IsEmpty;

class Jail : public testing::TestWithParam<Act> {};

/// What many processes take together, or share, only a cgroup can limit; where there is
/// none, the jail says so, and doc/sandbox.md does.
std::string expected(const Act& act, const sandbox::InForce& in_force) {
  const bool together = act.name == "memory_bomb_shared" || act.name == "memory_bomb_many";
  const bool grouped = std::any_of(
      in_force.layers.begin(), in_force.layers.end(),
      [](const sandbox::Layer& l) { return l.name.starts_with("cgroup memory") && l.held; });
  return together && !grouped ? act.jail + " or did" : act.jail;
}

TEST_P(Jail, HoldsTheAct) {
  const Act& act = GetParam();
  Host host;
  {
    const auto chamber = jails()->open(scene_of(host.tree_with({act.name}), host.visible()));
    ASSERT_TRUE(chamber.has_value()) << sandbox::describe(chamber.error());
    EXPECT_EQ((*chamber)->in_force().isolation, sandbox::Isolation::namespaces);
    if (try_act(**chamber, act, expected(act, (*chamber)->in_force()), host)) {
      expect_usable(**chamber);
    }
  }
  EXPECT_THAT(host.left_behind(), IsEmpty());
}
INSTANTIATE_TEST_SUITE_P(Acts, Jail, testing::ValuesIn(acts()), name_of);

TEST(OrdinaryUser, IsHeldAsWell) {
  if (geteuid() != 0) GTEST_SKIP() << "not root: then all the others are this test";
  EXPECT_EQ(failures_as_ordinary_user("Acts/Jail.*"), "");
}

}  // namespace
}  // namespace cg::escape
