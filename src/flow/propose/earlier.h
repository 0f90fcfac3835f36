// Earlier: plans that a model was asked for in earlier runs, and that are branches of the
// repository still. Nobody pays for them again.
//
// A branch is believed for what the log of this workspace says of its commit, never for its name:
// a workflow that has ended asked a model, proved what it said and wrote that very commit, and its
// evidence is what the log knows it as. What is taken from it is the plan. That is carried out on
// what is published today and goes through all gates like any other, so that it becomes the same
// commit, or none that nobody proved.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "flow/history/model_branches.h"
#include "flow/job/files.h"
#include "flow/propose/proposer.h"
#include "flow/propose/situation.h"

namespace cg::propose {

struct EarlierPlan {
  history::ModelBranch made;
  std::string version;         // that the package is moved to
  std::string rationale;       // what the model said for it
  job::EditedFiles rewritten;  // sources, as the commit has them
};

/// On what is published today. The group must be one that a model is asked about.
[[nodiscard]] Candidate carried_out(Situation& situation, const Group& group,
                                    const EarlierPlan& known);

class Earlier {
 public:
  /// Of branches whose names begin with `prefix`.
  [[nodiscard]] static Result<Earlier, Problem> open(const workspace::Access& access,
                                                     const Situation& situation,
                                                     const std::string& prefix);

  /// For these copies at this base; nothing if there is none, or none that can be believed. `notes`
  /// gets why not, and which branches start from another commit; those are events too.
  [[nodiscard]] Result<std::optional<EarlierPlan>, Problem> plan_for(
      const Group& group, std::vector<std::string>& notes, record::Events& events);

  /// Names of branches of a model's that start from another commit: no other branch takes them.
  [[nodiscard]] const std::set<std::string>& stale() const { return stale_; }

 private:
  Earlier(const workspace::Access& access, const Situation& situation,
          std::vector<history::ModelBranch> known)
      : access_(&access), situation_(&situation), known_(std::move(known)) {}

  [[nodiscard]] Result<EarlierPlan, std::string> read(const history::ModelBranch& made,
                                                      const std::string& package) const;

  const workspace::Access* access_;
  const Situation* situation_;
  std::vector<history::ModelBranch> known_;  // that the repository still has, newest first
  std::set<std::string> stale_;
};

}  // namespace cg::propose
