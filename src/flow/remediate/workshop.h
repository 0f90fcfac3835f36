// Workshop: a group of copies on its way from a proposal to a branch, or to the reason why there
// is none.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fix/plugin/capability.h"
#include "flow/propose/proposer.h"
#include "flow/proving/proving.h"
#include "flow/remediate/branches.h"
#include "flow/remediate/fixing.h"
#include "flow/remediate/remediation.h"
#include "flow/supplies/surroundings.h"
#include "flow/workspace/recording.h"
#include "prove/evidence/bundle.h"

namespace cg::remediate {

/// What a run was given, and where what comes of it goes.
struct Given {
  const job::Request& request;
  const workspace::Access& access;
  const supplies::Surroundings& surroundings;
  supplies::Watcher& watcher;
  workspace::Recording& recording;
  Remediation& out;
};

/// In the sandbox that is asked for, with what earlier runs have seen.
[[nodiscard]] Result<proving::Proving, Problem> open_proving(const Given& given,
                                                             propose::Situation& situation);

/// One attempt: proposed for, applied, proven and judged. `told` gets what the gates said. Whoever
/// ends the run meanwhile abandons it.
struct Turn {
  const workspace::Access& access;
  propose::Situation& situation;
  propose::Proposer& proposer;
  proving::Proving& proving;
  record::Events& events;
  record::Events& told;
};
[[nodiscard]] Result<Done, Problem> try_once(const Turn& turn, const propose::Group& group,
                                             unsigned number, Fixing& fixing);

class Workshop {
 public:
  struct Order {
    const job::Request& request;
    const workspace::Access& access;
    propose::Situation& situation;
    const plugin::GitLocalOps& right;
    const plugin::GitUnprovenOps* unproven;  // nullptr: what nothing was shown of is dropped
    workspace::Recording& recording;
    supplies::Watcher& watcher;
  };
  struct Hands {
    propose::Proposer& recipes;
    proving::Proving& proving;
  };
  using History = std::map<std::string, std::vector<gate::AttemptSummary>>;  // by group

  /// `history` is of an earlier run that was killed. `out` gets the groups as they are settled, and
  /// has the case as it was planned.
  Workshop(const Order& order, const Hands& hands, History history, Remediation& out)
      : order_(order), hands_(hands), history_(std::move(history)), out_(out) {}

  /// Proposed for, applied and proven, again and again until a fix passes or none is left. A group
  /// whose parts share nothing passes as a whole, or those to blame are taken out of it and fixed
  /// alone (bisection.h). Whoever is killed loses no more than what was being proven; once the time
  /// limit is reached, nothing more is begun.
  [[nodiscard]] Result<Done, Problem> fix(const propose::Group& group);

  /// From here on this is asked about groups that are handed on; no branch takes a name of `stale`.
  void ask(propose::Proposer& model, const std::set<std::string>& stale) {
    model_ = &model;
    stale_ = stale;
  }
  /// Of the groups that recipes had a fix for and the gates have turned down, those that a model
  /// may be asked about. fix() then goes on where recipes ended.
  [[nodiscard]] std::vector<propose::Group> turned_down();

  /// The groups to fix: these, but what is in lockfiles whose base cannot be run is apart from all
  /// else, so that nothing goes unproven with it that can be proven. The first way to fix each is
  /// run before its turn, side by side with others: as many as were asked for, else `at_once`.
  [[nodiscard]] Result<std::vector<propose::Group>, Problem> begin(
      const std::vector<propose::Group>& groups, unsigned at_once);

  /// Of the groups that passed, in their order.
  [[nodiscard]] std::vector<evidence::Commit> take_commits() { return std::move(commits_); }
  /// What a model thought of: what it came to, for the store of solved examples.
  [[nodiscard]] precedent::Lessons take_lessons() { return std::move(lessons_); }

 private:
  /// An attempt, and what the log is to say of it.
  struct Tried {
    Attempted attempted;
    record::Events told;
  };

  [[nodiscard]] Result<std::vector<propose::Group>, Problem> part_stuck(
      const std::vector<propose::Group>& groups);
  [[nodiscard]] Result<Done, Problem> look_ahead(const std::vector<propose::Group>& groups,
                                                 unsigned at_once);
  [[nodiscard]] Result<Done, Problem> fix_together(const propose::Group& group,
                                                   const std::vector<propose::Group>& parts);
  [[nodiscard]] Result<Done, Problem> leave();
  [[nodiscard]] Result<Done, Problem> fix_on(const propose::Group& group);
  [[nodiscard]] Result<Done, Problem> fix_alone(const propose::Group& group);
  [[nodiscard]] Result<Attempted, Problem> attempt(const propose::Group& group, unsigned most,
                                                   record::Events& told);
  [[nodiscard]] Result<Done, Problem> settle(const propose::Group& group, Attempted attempted);
  [[nodiscard]] bool is_late() const;
  [[nodiscard]] unsigned most_of(const propose::Group& group) const;
  /// The branch of a group that passed, or is kept unproven.
  [[nodiscard]] Result<WrittenBranch, Problem> write(const report::Case& one, Attempted& attempted);
  [[nodiscard]] record::Events& events() { return order_.recording.events(); }
  void append(record::Events told);

  Order order_;
  Hands hands_;
  propose::Proposer* model_ = nullptr;  // none is asked
  std::set<std::string> stale_;
  History history_;
  std::map<std::string, Tried> alone_;  // by group: turned down before
  std::vector<evidence::Commit> commits_;
  precedent::Lessons lessons_;
  Remediation& out_;
};

}  // namespace cg::remediate
