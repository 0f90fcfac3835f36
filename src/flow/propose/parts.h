// Parts: the questions about one group, whose files do not all fit into one.
//
// Each question shows some of the files, and its answer may change those alone. They are one
// attempt: what all of them answered is tried together, and if one is turned down nothing is. What
// was answered is kept, so that only those are asked again whose files are to blame, if that can
// be told. Pure.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "flow/propose/sources.h"
#include "model/proposal/judge.h"
#include "model/tiers/asking.h"
#include "prove/gate/attempts.h"

namespace cg::propose {

/// An answer that may be tried.
struct Said {
  proposal::Accepted accepted;
  tiers::Planned planned;
  unsigned attempt = 0;
};

/// One question, and what came of it so far.
struct PartAsked {
  tiers::Question question;
  std::map<std::string, std::string, std::less<>> files;  // that it shows, whole
  std::optional<Said> said = {};                          // to be tried next, or tried last
  std::string diff = {};  // of the last rewrite of its that was tried, as we worked it out
  /// Attempts in which its answer was turned down, and what it is told of that.
  std::map<unsigned, std::string> told = {};
  unsigned refusals = 0;
};

class Parts {
 public:
  Parts() = default;
  /// One for each part of `sources`. `common` is what all are told.
  Parts(const tiers::Question& common, const Sources& sources);

  [[nodiscard]] const std::string& group() const { return group_; }
  [[nodiscard]] std::vector<PartAsked>& all() { return all_; }
  [[nodiscard]] const std::vector<PartAsked>& all() const { return all_; }
  /// That they show, of all of them.
  [[nodiscard]] std::map<std::string, std::string, std::less<>> files() const;
  [[nodiscard]] bool several() const { return all_.size() > 1; }

  /// Which are to be asked after `history`: those without an answer, and of the others those with
  /// a file that the failures of the last attempt name, all if they name none. `folder` is that of
  /// the manifest, "packages/a/": a suite that runs there names files from there on.
  [[nodiscard]] std::vector<std::size_t> due(const std::vector<gate::AttemptSummary>& history,
                                             std::string_view folder) const;

  /// What one of them is told of earlier attempts, to be fenced: of answers that were turned down
  /// its own alone, and of its own last diff.
  [[nodiscard]] std::vector<tiers::Text> failure_of(
      std::size_t number, const std::vector<gate::AttemptSummary>& history) const;

 private:
  std::string group_;
  std::vector<PartAsked> all_;
};

/// `text` names the file, as a word of its own: "at src/a.js:3" and "/src/a.js", not "src/a.jsx".
[[nodiscard]] bool names_path(std::string_view text, std::string_view path);

/// Why an answer that could be tried alone cannot be one of several: it moves the package to
/// another version than the target, or forces it. Nothing if it can.
[[nodiscard]] std::optional<tiers::Rejected> apart(const proposal::Accepted& accepted,
                                                   const std::string& target);

/// What was said for those that are tried together, one after the other. Each has an answer.
[[nodiscard]] std::string rationale_of(const Parts& parts);
/// For the evidence. Of the words of prompts and answers only the reason is kept, which the case
/// quotes; of the rest the digests.
[[nodiscard]] std::string document_of(const Parts& parts, std::string_view kind, unsigned number,
                                      const tiers::Asking::Bill& so_far);

}  // namespace cg::propose
