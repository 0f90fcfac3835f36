// From a commit to the workflow that made it.
#include "flow/history/origin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flow/workspace/recording.h"
#include "support/new_workspace.h"

namespace cg::history {
namespace {

using workspace::Recording;

TEST(NamedPlan, IsTheOneOfTheMessage) {
  const std::string hex(64, 'a');
  EXPECT_EQ(named_plan("Update a\n\nCodegenie-Plan: sha256:" + hex + "\n"),
            hash::parse_digest(hex));
  for (const std::string& bad :
       {std::string(), std::string("Codegenie-Plan:"), "Codegenie-Plan: " + hex,
        "Codegenie-Plan: sha256:" + hex + "a", "Codegenie-Plan: sha256:" + std::string(64, 'A'),
        "Codegenie-Plan: sha256:" + hex + " ", " Codegenie-Plan: sha256:" + hex,
        "Codegenie-Plan: sha256:" + hex + "\nCodegenie-Plan: sha256:" + hex,
        "Codegenie-Plan: x\nCodegenie-Plan: sha256:" + hex}) {
    EXPECT_FALSE(named_plan(bad)) << bad;
  }
}

class Origins : public testing::Test {
 protected:
  std::string run(Byte plan, const std::string& commit) {
    auto out = Recording::start(access_, "remediate");
    EXPECT_TRUE(out.has_value());
    out->events().emplace_back(record::PlanCommitted{commit, "group", plan_of(plan)});
    EXPECT_TRUE(out->end("fixed"));
    return out->id();
  }
  static hash::Digest plan_of(Byte byte) {
    hash::Digest out{};
    out.fill(byte);
    return out;
  }
  test::ScratchDir scratch_;
  workspace::Access access_ = test::new_workspace(scratch_);
};

TEST_F(Origins, AreAllWorkflowsOfThePlanNewestFirst) {
  const std::string first = run(1, "aa");
  run(2, "bb");
  const std::string last = run(1, "cc");
  const auto found = origins_of(access_, plan_of(1));
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 2U);
  EXPECT_EQ((*found)[0].workflow, last);
  EXPECT_EQ((*found)[0].commit, "cc");
  EXPECT_EQ((*found)[1].workflow, first);
  EXPECT_TRUE(origins_of(access_, plan_of(3))->empty());
}

TEST_F(Origins, ABrokenLogIsNoWitness) {
  const std::string id = run(1, "aa");
  const auto quiet = [](std::uint64_t) {};
  ASSERT_TRUE(sound_witness(access_, id, quiet)->known);
  EXPECT_FALSE(sound_witness(access_, "01JCN4Q0000000000000000000", quiet)->known);
  const std::string state = scratch_ / "work/events/state.json";
  test::write(state, test::read(state) + "x");
  const auto broken = sound_witness(access_, id, quiet);
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().exit(), ExitCode::integrity);
}

}  // namespace
}  // namespace cg::history
