// Attempts: a group of copies is fixed, proven, and fixed in another way if the repository
// does not stand the first.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "fix/report/case.h"
#include "model/budget/budget.h"
#include "model/tiers/asking.h"
#include "prove/gate/attempts.h"
#include "proving/proving.h"
#include "remediation/branches.h"
#include "remediation/recording.h"

namespace cg::program {

/// By group (group_id()): what an earlier run tried and could not bring to an end.
using History = std::map<std::string, std::vector<gate::AttemptSummary>>;

/// What an earlier run left.
struct Interrupted {
  History history;
  std::string workflow;  // its id; empty: there is none
  std::vector<budget::LoggedCall> calls;
  unsigned violations = 0;
};

/// The last remediation of this repository and base, if it asked for the same and never
/// ended: whoever was killed goes on where they were.
[[nodiscard]] Result<Interrupted, Problem> interrupted(const Access& access, const Recording& own,
                                                       const record::RemediationStarted& about);

/// BLAKE3 over the copies that a group fixes, whatever the fix is.
[[nodiscard]] std::string group_id(const report::Case& c, const std::vector<std::size_t>& steps);

/// How far a group came.
struct Attempted {
  bool passed = false;
  std::vector<LockPlan> plans;        // of the last attempt
  EditedFiles files;                  // likewise
  std::vector<plan::Tried> avoided;   // what earlier attempts had brought
  std::vector<plan::Target> targets;  // what a model chose; empty: recipes did
  EditedFiles rewritten;              // of `files`, the sources that it rewrote
  EditedFiles replaced;               // what stood in those at the base
  std::vector<gate::Passed> proof;    // one per lockfile; what a branch is written for
  std::vector<report::Gate> gates;
  std::vector<std::pair<std::string, std::string>> documents;  // gates/NAME.json of the evidence
  std::string isolation;
  unsigned attempts = 0;
  std::string why;                        // it is given up, one sentence
  std::vector<std::string> excerpts;      // of failing output, for people
  std::optional<tiers::GivenUp> stopped;  // a model was asked, and is not to be asked again
};

struct Trying {
  const Means& means;
  const std::string& registry;
  Proving& proving;
  /// Reads what an edit left, as the base was read.
  std::function<Result<Scanned, Problem>(repository::LoadedLocks)> scan;
  Recording& recording;
  unsigned max_attempts = gate::kMaxAttempts;
};

/// `steps` are those of the group, numbers over all `plans`; `history` what was tried before.
/// Each attempt is in the log before the next begins.
[[nodiscard]] Result<Attempted, Problem> attempt(const Trying& trying,
                                                 const std::vector<LockPlan>& plans,
                                                 const std::vector<std::size_t>& steps,
                                                 const std::string& group,
                                                 std::vector<gate::AttemptSummary> history);

/// One attempt with `out.plans` and `out.rewritten`: applied, scanned, proven, and told under
/// `number`. If it does not pass, `history` has one more entry.
[[nodiscard]] Result<Done, Problem> try_plans(const Trying& trying, const Means& means,
                                              unsigned number, const std::string& group,
                                              Attempted& out,
                                              std::vector<gate::AttemptSummary>& history);

/// No copy of the plans is left unfixed.
[[nodiscard]] bool fixes_all(const std::vector<LockPlan>& plans);

}  // namespace cg::program
