// Which branches the log says a model's plans became.
#include "flow/history/model_branches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flow/workspace/recording.h"
#include "support/new_workspace.h"

namespace cg::history {
namespace {

using workspace::Recording;

/// What a remediation tells of the one group that it fixes.
struct Told {
  std::string commit = "aa";
  std::string passed = "group";  // the group of the attempt that passed
  std::uint64_t accepted = 2;    // the attempt that a model's plan was for
  bool evidence = true;
};

class ModelBranches : public testing::Test {
 protected:
  Recording begin(const Told& told) {
    auto out = Recording::start(access_, "remediate");
    EXPECT_TRUE(out.has_value());
    record::Events& events = out->events();
    events.emplace_back(record::RemediationStarted{std::string(40, 'b'), "shop", "all"});
    events.emplace_back(record::AttemptEnded{1, "tests", "group", "namespaces", "a 2.0.0"});
    events.emplace_back(
        record::PlanProposalAccepted{told.accepted, {}, "group", "callsite_rewrite", {}});
    events.emplace_back(record::AttemptEnded{2, "", told.passed, "namespaces", "a 2.0.0"});
    events.emplace_back(record::BranchWritten{"codegenie/a", told.commit, "created"});
    events.emplace_back(record::PlanCommitted{told.commit, "group", {}});
    if (told.evidence) events.emplace_back(record::EvidenceWritten{evidence(), "evidence/x"});
    return *std::move(out);
  }
  std::string run(const Told& told = {}) {
    Recording out = begin(told);
    EXPECT_TRUE(out.end("fixed"));
    return out.id();
  }
  std::vector<ModelBranch> known() const {
    auto found = model_branches(access_);
    EXPECT_TRUE(found.has_value());
    return found ? *std::move(found) : std::vector<ModelBranch>();
  }
  static hash::Digest evidence() {
    hash::Digest out{};
    out.fill(7);
    return out;
  }
  test::ScratchDir scratch_;
  workspace::Access access_ = test::new_workspace(scratch_);
};

TEST_F(ModelBranches, AreThoseOfPlansThatPassedNewestFirst) {
  const std::string first = run();
  const std::string last = run({.commit = "cc"});
  const auto found = known();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].workflow, last);
  EXPECT_EQ(found[0].commit, "cc");
  EXPECT_EQ(found[1].workflow, first);
  EXPECT_EQ(found[1].base, std::string(40, 'b'));
  EXPECT_EQ(found[1].group, "group");
  EXPECT_EQ(found[1].branch, "codegenie/a");
  EXPECT_EQ(found[1].kind, "callsite_rewrite");
  EXPECT_EQ(found[1].evidence, evidence());
}

TEST_F(ModelBranches, ARecipesIsNoneNorOneWithoutEvidence) {
  run({.accepted = 1});  // what the model said failed; what passed was none of it
  run({.passed = "other"});
  run({.evidence = false});
  EXPECT_TRUE(known().empty());
}

TEST_F(ModelBranches, AWorkflowThatIsNotOverVouchesForNothing) {
  Recording open = begin({});
  ASSERT_TRUE(open.write().has_value());
  EXPECT_TRUE(known().empty());
  ASSERT_TRUE(open.end("fixed").has_value());
  EXPECT_EQ(known().size(), 1U);
}

TEST_F(ModelBranches, ABrokenStreamIsNotPassedOver) {
  const std::string id = run();
  const std::string stream = scratch_ / ("work/events/workflow-internal/" + id + ".jsonl.zst");
  std::string bytes = test::read(stream);
  bytes[bytes.size() / 2] = static_cast<char>(~bytes[bytes.size() / 2]);
  test::write(stream, bytes);
  EXPECT_FALSE(model_branches(access_).has_value());
}

}  // namespace
}  // namespace cg::history
