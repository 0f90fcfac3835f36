// How workflows are told apart by the first letters of their ids.
#include "flow/history/workflows.h"

#include <gtest/gtest.h>

namespace cg::history {
namespace {

Workflow named(const std::string& id) { return {id, "remediate", {}, {}, "fixed", 0}; }

TEST(WorkflowIds, APrefixMustTellOneFromTheOthers) {
  const Workflows workflows{
      {named("01ARYZ6S41000G40R40M30E209"), named("01ARYZ6S41000G40R40M30E20A"),
       named("01BRYZ6S41000G40R40M30E209")},
      {}};
  EXPECT_EQ(find_workflow(workflows, "01BRYZ6")->id, "01BRYZ6S41000G40R40M30E209");
  EXPECT_EQ(find_workflow(workflows, "01bryz6s")->id, "01BRYZ6S41000G40R40M30E209");
  EXPECT_EQ(find_workflow(workflows, "01ARYZ6S41000G40R40M30E20A")->id,
            "01ARYZ6S41000G40R40M30E20A");
  EXPECT_EQ(find_workflow(workflows, "01ARYZ6").error().code, ErrorCode::cli_bad_value);
  EXPECT_EQ(find_workflow(workflows, "01BRYZ").error().code, ErrorCode::cli_bad_value);
  EXPECT_EQ(find_workflow(workflows, "").error().code, ErrorCode::cli_bad_value);
  EXPECT_EQ(find_workflow(workflows, "01CRYZ6").error().code, ErrorCode::audit_no_entry);
}

TEST(WorkflowIds, AreShownAsLongAsNeeded) {
  EXPECT_EQ(telling_length({}), 7U);
  EXPECT_EQ(telling_length({named("01ARYZ6S41000G40R40M30E209")}), 7U);
  EXPECT_EQ(
      telling_length({named("01ARYZ6S41000G40R40M30E209"), named("01ARYZ6S51000G40R40M30E209"),
                      named("01BRYZ6S41000G40R40M30E209")}),
      9U);
}

/// A log that breaks off is the reason why a workflow was not found.
TEST(WorkflowIds, ABrokenLogIsToldInsteadOfAbsence) {
  const Workflows broken{{}, Problem{ErrorCode::audit_chain, "broken", {}, "none", {}}};
  EXPECT_EQ(find_workflow(broken, "01CRYZ6").error().code, ErrorCode::audit_chain);
}

}  // namespace
}  // namespace cg::history
