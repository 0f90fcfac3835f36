// The last tiers: a solved example, a model. One question after another about one group.
//
// The first attempt is nobody's idea: the breaking version alone. If every gate passes then, with
// tests by name, it is the fix, and nobody is asked; else what fails is the first question's best
// part.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flow/propose/proposer.h"
#include "flow/propose/question.h"
#include "flow/supplies/surroundings.h"
#include "model/proposal/judge.h"
#include "npm/exports/exports.h"

namespace cg::propose {

/// How a run ends that nobody is to be asked in any more.
[[nodiscard]] ExitCode exit_of(const tiers::GivenUp& stopped);

class ModelProposer final : public Proposer {
 public:
  /// `notes` gets what the operator should know of what was not shown, one line each.
  ModelProposer(Situation& situation, tiers::Asking& asking, supplies::Watcher& watcher,
                std::vector<std::string>& notes)
      : situation_(situation), asking_(asking), watcher_(watcher), notes_(notes) {}

  [[nodiscard]] Result<Answer, Problem> propose(const Group& group, unsigned number,
                                                const std::vector<gate::AttemptSummary>& history,
                                                record::Events& events) override;

  /// What the model would be asked for attempt `number`, and it is not. Without `history`, nothing
  /// is told of what failed before.
  [[nodiscard]] Result<tiers::Preview, Problem> preview(
      const Group& group, unsigned number, const std::vector<gate::AttemptSummary>& history);

 private:
  [[nodiscard]] Answer bare_version(const Group& group);
  [[nodiscard]] Result<Done, Problem> read_up(const Group& group);
  [[nodiscard]] Result<Done, Problem> read_package(const Group& group);
  [[nodiscard]] Result<proposal::Accepted, proposal::Rejection> judge(
      const proposal::Proposal& said, const HandedOn& group);
  [[nodiscard]] Answer candidate(const proposal::Accepted& accepted, const Group& group);
  [[nodiscard]] std::string document(const tiers::Planned& planned,
                                     const proposal::Accepted& accepted, unsigned number) const;

  Situation& situation_;
  tiers::Asking& asking_;
  supplies::Watcher& watcher_;
  std::vector<std::string>& notes_;
  // Of the group that was asked about last.
  tiers::Question question_;
  Sources sources_;
  std::optional<exports::Api> api_;  // of the version that a rewrite moves its package to
  std::string last_diff_;            // of the last rewrite that was tried, as we worked it out
};

}  // namespace cg::propose
