// Workflows as the audit log tells them: the spanning stream says when each began and
// ended, its own stream what it was about and what came of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/base/time.h"
#include "flow/workspace/access.h"
#include "trust/record/event.h"

namespace cg::history {

struct Workflow {
  std::string id;
  std::string task;
  Time started{};
  std::optional<Time> ended;
  std::string status;         // as it ended; "open" while nothing says that it did
  std::uint64_t entries = 0;  // of its stream; 0 while it is open
};

/// A list, and what does not hold in the log it was read from.
struct Workflows {
  std::vector<Workflow> all;  // oldest first
  std::optional<Problem> problem;
};
[[nodiscard]] Result<Workflows, Problem> read_workflows(const workspace::Access& access);

/// How many letters of the ids tell them apart; at least 7.
[[nodiscard]] std::size_t telling_length(const std::vector<Workflow>& workflows);

/// The one whose id begins with `prefix`, of at least 7 letters in either case.
[[nodiscard]] Result<Workflow, Problem> find_workflow(const Workflows& workflows,
                                                      const std::string& prefix);

/// What the stream of a remediation tells; all of it empty for another task.
struct Story {
  std::optional<record::RemediationStarted> about;
  std::optional<record::PlanMade> plan;
  std::vector<record::AttemptEnded> attempts;
  std::vector<record::BranchWritten> branches;
  std::vector<record::UnprovenWritten> unproven;  // branches that nothing was shown of
  std::vector<record::BaseUnprovable> causes;     // why not, each lockfile once
  std::vector<record::PlanCommitted> plans;       // of their commits
  std::vector<record::PlanProposalAccepted> accepted;
  std::optional<record::EvidenceWritten> evidence;
  std::optional<record::HandoffWritten> handoff;
  std::optional<record::RemediationRefused> refused;
  std::vector<record::BudgetPrecharged> precharged;
  std::vector<record::BudgetReconciled> reconciled;
  std::vector<record::BudgetOverrideGranted> overruns;
  bool replayed = false;    // all that was asked was answered by a cassette
  unsigned violations = 0;  // of what a model may say
  std::uint64_t entries = 0;
  std::optional<Problem> problem;  // where the stream stopped to hold
};
[[nodiscard]] Result<Story, Problem> read_story(const workspace::Access& access,
                                                const Workflow& workflow);

}  // namespace cg::history
