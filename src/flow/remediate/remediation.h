// Remediation: what a run came to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fix/report/case.h"
#include "flow/proving/keeping.h"
#include "flow/remediate/fixing.h"
#include "model/budget/forecast.h"
#include "prove/preflight/obstacle.h"

namespace cg::remediate {

/// Of the model, from 1: the version alone is nobody's, and comes before its first.
[[nodiscard]] constexpr unsigned model_attempt(std::uint64_t number) {
  return number < 2 ? 1 : static_cast<unsigned>(number - 1);
}

/// What a model would be asked about copies that recipes left, or why it is not asked.
struct Shown {
  propose::HandedOn about;
  unsigned attempt = 1;                  // of the model, from 1
  std::optional<tiers::Preview> prompt;  // nothing: see `why`
  std::string why;                       // one sentence
  bool passes = false;                   // the version alone is the fix
  std::size_t part = 1, parts = 1;       // of the questions about it
};

/// What asking a model could come to, before anything is done.
struct Asking {
  std::string model;
  std::vector<std::string> packages;  // "marked 0.8.2 in package.json", each one group
  std::uint64_t questions = 0;        // at most
  budget::Forecast most;              // its calls are the questions, and tries at repair
  bool replayed = false;              // a cassette answers: nobody is paid
};

/// What became of a person's own fix of one group of copies.
struct Taught {
  propose::HandedOn about;
  std::string to;                  // the version that it moves the package to; empty: to none
  std::vector<std::string> files;  // that it rewrites
  Attempted attempted;
  std::string record;  // that the store got, or had; empty: none
  bool known = false;  // it had it
};

struct Remediation {
  report::Case outcome;
  job::EditedFiles files;                       // that the plan changes, all branches together
  std::string diff;                             // of all of them, for --dry-run
  std::size_t found = 0;                        // branches that an earlier run had written
  std::vector<std::string> recalled;            // with a plan that a model was paid for before
  std::vector<preflight::Obstacle> preflight;   // to a proof, seen before anything was run
  std::vector<SettledGroup> groups;             // what was proven; with Extent::branch
  std::vector<evidence::FailedAttempt> failed;  // attempts that became no branch, in their order
  proving::Keeping kept;                        // what all steps printed
  std::vector<std::string> learned;             // records that the store got
  std::vector<Shown> shown;                     // with Extent::question
  std::vector<Taught> taught;                   // with Extent::lesson
  std::optional<Asking> asking;                 // with Extent::preview, if a model may be asked
  std::string handoff;                // beneath the workspace; empty if nothing is left to do
  std::vector<std::string> refusals;  // why nothing was planned; empty if something was
  std::vector<std::string> warnings;
};

}  // namespace cg::remediate
