// Tale: what the events of a workflow say happened, gathered so that its case can be held
// against it. For this module only.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "fix/report/case.h"
#include "trust/record/event.h"

namespace cg::evidence {

/// One attempt: what each gate said, then how it ended.
struct Tried {
  std::vector<record::SignalJudged> signals;
  std::vector<std::string> weak;  // of each signal: why it says little; empty if it does not
  record::AttemptEnded ended;

  [[nodiscard]] bool passed() const { return ended.failing.empty(); }
  /// Nothing is in the way but that there is nothing to compare with.
  [[nodiscard]] bool unprovable() const { return ended.failing == "base"; }
};

/// A branch, and the attempt that it was written for.
struct ToldBranch {
  record::BranchWritten written;
  std::optional<record::PlanCommitted> plan;
  std::size_t attempt = 0;  // in Tale::tries
  bool unproven = false;    // written though nothing was shown of it
};

struct Tale {
  std::vector<record::RemediationStarted> started;
  std::vector<record::ProvenanceClassified> provenance;
  std::vector<record::PluginLoaded> plugins;
  std::vector<record::PlanMade> plans;           // the first as planned, the last as it came out
  std::vector<record::SandboxOpened> sandboxes;  // those of recalled steps too
  std::vector<record::StepRan> steps;            // likewise
  std::vector<Tried> tries;
  std::vector<ToldBranch> branches;
  std::vector<record::BaseUnprovable> unprovable;
  std::vector<record::PlanProposalAccepted> accepted;  // recalled plans too
  std::vector<record::RagHit> carried;  // solved examples that an attempt was made of
  std::vector<record::BudgetPrecharged> set_aside;
  std::vector<record::BudgetReconciled> settled;
  std::optional<std::size_t> played_from;  // in set_aside: these are answered by a cassette
  std::vector<record::EvidenceSigned> signers;
  std::vector<record::EvidenceWritten> evidence;
  bool ends_with_evidence = false;
  std::string fault;  // the first thing that cannot have happened in this order; empty: none

  /// The last attempt at each group that came to the gates, groups in their order.
  [[nodiscard]] std::vector<const Tried*> last_tries() const;
};

/// Takes the events of a stream one after another.
class Telling {
 public:
  void take(const record::Event& event);
  [[nodiscard]] Tale finish() &&;

 private:
  void end_attempt(const record::AttemptEnded& ended);
  void take_weak(const record::ProofWeak& weak);
  void begin_branch(const record::BranchWritten& written);
  void begin_unproven(const record::UnprovenWritten& written);
  void take_plan(const record::PlanCommitted& plan);
  void fault(std::string what);

  Tale tale_;
  std::vector<record::SignalJudged> open_;  // of the attempt that has not ended yet
  std::vector<std::string> weak_;           // of those
  std::vector<bool> used_;                  // attempts that a branch was written for
};

}  // namespace cg::evidence
