// Plan: what to change so that vulnerable copies are gone, and why not otherwise.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "npm/edit/edit.h"
#include "vuln/advisory/severity.h"

namespace cg::plan {

/// In the order in which they are tried: least change first. The words are those of
/// `remediate --format json`.
enum class Strategy { relock, direct_bump, parent_bump, override_rule, callsite_rewrite };
[[nodiscard]] std::string_view name(Strategy strategy);

/// What becomes of a copy.
enum class Fate {
  fixed,      // gone, or at a version that no advisory of the index speaks of
  blocked,    // `blocker` says by what
  no_fix,     // no published version is safe
  handed_on,  // another tier could: a major bump, malware to remove
};
[[nodiscard]] std::string_view name(Fate fate);

/// What stands in the way, closed so that reports can count.
enum class Blocker {
  none,
  range,          // of a dependent
  override_rule,  // of the root manifest
  bundled,        // inside another package
  shrinkwrap,     // dictated by another package
  peer,           // a peer dependency would be broken
  engine,         // needs another node
  policy,         // cooldown, install scripts
  source,         // git, tarball: no version to choose
  no_version,     // none published that is safe
  major,          // only over a breaking version of a direct dependency
  malware,        // no version is to be trusted
  unsupported,    // the lockfile's format cannot be edited like that
  registry,       // the package could not be looked up
  ignored,        // an ignore of the operator
  gates,          // fixes were tried, and the repository did not stand them
  unproven,       // the repository cannot be run as it is, so no fix can be compared with it
};
[[nodiscard]] std::string_view name(Blocker blocker);

/// One way that was looked at.
struct Considered {
  Strategy strategy = Strategy::relock;
  std::string target;  // "qs 6.7.3"; empty if it came to none
  std::string answer;  // why it was taken, or why not
  bool chosen = false;
};

/// One installed copy under one advisory group.
struct Copy {
  std::string advisory;
  std::string package;
  std::string location;
  std::string from;
  std::string to;  // empty: the copy is gone, or was not fixed
  advisory::Level level = advisory::Level::unknown;
  Fate fate = Fate::blocked;
  std::optional<Strategy> strategy;  // of a fixed one
  Blocker blocker = Blocker::none;
  std::string reason;  // one sentence
  std::vector<Considered> considered;
  std::size_t fix = 0;  // 1-based index into Plan::fixes, 0 if none
};

/// One fix: what moved because of it.
struct Fix {
  Strategy strategy = Strategy::relock;
  std::string package;               // that was vulnerable
  std::string from, to;              // its version
  std::string recipe;                // "npm-relock"
  std::string why;                   // one sentence
  std::vector<std::string> touched;  // locations, manifest keys, override paths; sorted
};

/// Among what a fix touched: the rules of the root manifest as a whole.
inline constexpr const char* kTouchesRules = "overrides";

/// In place of a recipe's name, where a model chose what to do.
inline constexpr const char* kModelRecipe = "model";
/// Likewise, where a solved example was carried over.
inline constexpr const char* kExampleRecipe = "example";
/// A person's, which is proven to be remembered.
inline constexpr const char* kPersonRecipe = "person";
/// Of a breaking version that nothing else has to change for: tried before a model is asked.
inline constexpr const char* kMajorRecipe = "direct-major";

/// An override that the plan adds, with what a later run needs to drop it again.
struct OverrideNote {
  std::vector<std::string> path;
  std::string value;
  std::string reason;
  std::vector<std::string> advisories;
  int days = 180;  // until it should be looked at again
};

/// For one lockfile.
struct Plan {
  std::string lockfile;
  std::vector<Copy> copies;  // in the order of the findings
  std::vector<Fix> fixes;
  edit::LockEdit lock;
  std::vector<edit::ManifestEdit> manifests;
  std::vector<OverrideNote> overrides;
  std::vector<std::vector<std::string>> redundant;  // overrides of earlier plans that can go
};

}  // namespace cg::plan
