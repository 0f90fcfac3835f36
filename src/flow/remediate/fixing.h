// Fixing: one group of copies on its way through attempts, until one passes or none is left.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fix/report/case.h"
#include "flow/precedent/teaching.h"
#include "flow/propose/proposer.h"
#include "flow/proving/proving.h"
#include "flow/remediate/standing.h"
#include "prove/evidence/bundle.h"

namespace cg::remediate {

/// How far a group came.
struct Attempted {
  bool passed = false;
  propose::Candidate candidate;     // of the last attempt that came to the gates
  job::EditedFiles files;           // that it changes, rewritten sources too
  std::vector<gate::Passed> proof;  // one per lockfile; what a branch is written for
  std::vector<report::Gate> gates;
  std::vector<std::pair<std::string, std::string>> documents;  // of the evidence: name, text
  std::string isolation;
  unsigned attempts = 0;
  bool bare = false;  // what the gates saw last is a breaking version alone, nobody's idea yet
  bool for_a_person = false;           // all gates passed, and show too little for policy
  std::optional<Unproven> unprovable;  // the base cannot be run, so no fix can be compared to it
  bool untried = false;                // the run was ended before it was settled
  std::string why;                     // it is given up, one sentence
  std::vector<evidence::FailedAttempt> failed;  // attempts of this call, in their order
  std::vector<precedent::Mistake> mistakes;     // of those, what a model had thought of
  std::vector<std::string> excerpts;            // of failing output, for people
  std::optional<tiers::GivenUp> stopped;        // a model was asked, and not again about this
};

/// A group after its attempts.
struct SettledGroup {
  propose::Group group;
  report::Branch branch;  // written, if it passed, or is kept unproven: then it has a commit
  Attempted attempted;
};
/// "Proven", "Turned down": what became of it, as a heading.
[[nodiscard]] std::string_view standing_of(const SettledGroup& group);

/// What is tried next, what came of it, and when it ends. Knows nothing of who proposes, nor of
/// how something is proven.
class Fixing {
 public:
  /// `history` is what an earlier run tried before it was killed.
  Fixing(const propose::Group& group, std::vector<gate::AttemptSummary> history,
         unsigned max_attempts)
      : group_(group), history_(std::move(history)), max_attempts_(max_attempts) {}

  /// The number of the next attempt. Nothing: it is over, and take() says how.
  [[nodiscard]] std::optional<unsigned> next();
  [[nodiscard]] const std::vector<gate::AttemptSummary>& history() const { return history_; }

  /// What the proposer said to attempt `number`. Null if there is nothing to be tried.
  [[nodiscard]] const propose::Candidate* consider(unsigned number, propose::Answer answer,
                                                   record::Events& events);
  /// "attempt 1: qs 6.7.3", of what is being considered.
  [[nodiscard]] std::string title() const;

  /// What the gates said to it with these files. Each attempt is told whole before the next.
  void judge(job::EditedFiles files, std::vector<proving::Proof> proofs, record::Events& events);

  /// Nothing more is to be tried, for a reason that is none of the fix's.
  void stop(std::string why);
  /// What is being considered is given up unseen, and nothing else is tried.
  void abandon(std::string why);

  [[nodiscard]] Attempted take() && { return std::move(out_); }

 private:
  void tell(const proving::Proof& proof, bool several, record::Events& events);

  const propose::Group& group_;
  std::vector<gate::AttemptSummary> history_;
  unsigned max_attempts_;
  bool over_ = false;
  Attempted out_;
  Attempted before_;  // as it was before what is being considered
};

}  // namespace cg::remediate
