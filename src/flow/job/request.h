// What somebody asks `remediate` for: flags, or a job file.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/domain/money.h"
#include "base/domain/tier.h"
#include "fix/plan/options.h"
#include "flow/cli/parse.h"

namespace cg::job {

/// How far a run goes.
enum class Extent {
  preview,   // --dry-run: says what it would do, writes nothing but the log
  plan,      // --plan-only: the edited files into --worktree, no branch
  branch,    // all of it
  question,  // `prompt show`: as far as what a model would be asked, and nobody is
  lesson,    // `rag learn`: a person's own fix is proven and remembered, no branch
};

/// With Extent::question: what is looked at before a question is made, and which is wanted.
struct Showing {
  bool gates = true;    // what they say to the version alone is part of the first question
  std::string package;  // about this one; empty: all that a model would be asked about
  std::optional<unsigned> attempt;  // from 1; nothing: the next
  std::size_t part = 1;             // of the questions that an attempt takes
};

/// How fixes become branches.
enum class Grouping {
  safe,  // all that stays inside the ranges of its dependents on one branch; else as `each`
  each,  // what shares something goes together, and nothing else
  one,   // all on one branch
};

/// What becomes of a fix that nothing can be shown of, as the repository cannot be run as it is.
enum class IfUnproven {
  drop,  // it is told, and nothing is written
  keep,  // a branch of its own kind, for people whose own checks are the proof
};

/// Where the repository's own steps are run.
enum class Place {
  userns,   // a jail of namespaces
  microvm,  // behind a kernel of its own
  host,     // --unsafe-no-sandbox: on this machine; what ran so proves nothing
};

struct Request {
  std::string repo;
  std::vector<std::string> advisories;  // empty: all
  Extent extent = Extent::branch;
  std::string worktree;  // with Extent::plan; may be empty
  bool diff = false;     // with Extent::preview: print the edits too
  plan::Prefer prefer = plan::Prefer::lowest;
  Grouping grouping = Grouping::safe;
  IfUnproven unproven = IfUnproven::drop;
  bool production_only = false;
  std::string base;  // branch, tag or commit; empty: HEAD
  std::string branch_prefix = "codegenie/";
  std::string sign;      // "ssh:KEYFILE"; empty: unsigned
  std::string sbom;      // file; empty: none
  std::string registry;  // URL; empty: as npm is configured
  bool offline = false;
  Place place = Place::userns;
  unsigned attempts = 3;  // at most that many ways are tried
  /// No proof is begun after it; what was done by then is kept.
  std::optional<std::chrono::seconds> time_limit = {};
  std::optional<unsigned> jobs = {};  // fixes that are proven at once; nothing: as many as can be
  bool fresh = false;                 // run every step, whatever an earlier run has seen

  std::optional<Tier> max_tier;                // nothing: as far as policy goes
  std::optional<std::uint64_t> budget_tokens;  // of this run; may only lower policy's
  std::optional<Money> budget_usd;             // likewise
  std::string overrun;                         // file of a signed permission to spend more
  std::string cassette;                        // file of exchanges; empty: none
  bool record = false;                         // write it instead of playing it
  Showing showing;
  std::string lesson;  // with Extent::lesson: the commit; the base is its parent if none is named

  /// "codegenie-unproven/" where the others begin with "codegenie/".
  [[nodiscard]] std::string unproven_prefix() const;
  /// "all", or the ids.
  [[nodiscard]] std::string what() const;
};

/// Exactly one of --cve, --all and --job must be there. Flags that the command does not take were
/// not given.
[[nodiscard]] Result<Request, Problem> read_request(const cli::Invocation& invocation);

/// A job file: YAML or JSON, schema codegenie/job/v1, keys as the flags with `_` for `-`.
[[nodiscard]] Result<Request, Problem> parse_job(const std::string& file, std::string_view text);

}  // namespace cg::job
