// Review: where a reviewer should look, in which order, and what the proof does not carry.
//
// Computed here alone, for the terminal, the pull request, the page, the handoff and the commit
// message: none of them can point elsewhere than the others. What a model wrote comes first;
// what it said for it is quoted as what it is, a text that anybody may have had a hand in.
#pragma once

#include <string>
#include <vector>

#include "fix/report/case.h"

namespace cg::report {

struct Review {
  /// What a plan is that no recipe made, and why, in its maker's own words.
  struct Said {
    std::string branch, kind, rationale;
    std::string example;  // Branch::example
  };
  std::vector<FileChange> model;      // files with lines that no engine wrote: look here first
  std::vector<FileChange> manifests;  // then here
  std::vector<FileChange> rest;       // that follows from the manifests, or is all there is
  std::vector<std::string> kinds;     // of the plans, each once: "callsite_rewrite", "relock"
  std::vector<Said> said;             // one for each plan that is no recipe's
  std::vector<Gate> weak;             // gates that passed and show less than they seem to
  bool overrides = false;             // a manifest gets rules about other packages' versions

  /// All files, in the order to look at them.
  [[nodiscard]] std::vector<FileChange> files() const;
};

/// Of all branches together.
[[nodiscard]] Review review(const Case& c);
/// Of one of them. Depends on its commit's files, its plan and its gates, not on ids or clocks.
[[nodiscard]] Review review(const Case& c, const Branch& branch);

/// The files in the order to look at them, one line each: "lib/a.js +1 -1, written by a model".
[[nodiscard]] std::vector<std::string> file_lines(const Review& review);
/// What else a reader has to know of a plan before trusting it, one line each; nothing for a
/// recipe's whose gates are all strong.
[[nodiscard]] std::vector<std::string> caution_lines(const Review& review);

}  // namespace cg::report
