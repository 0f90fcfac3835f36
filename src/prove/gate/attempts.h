// Attempts: whether a fix that failed is tried again in another way.
//
// Plain data in and out, so that a run that was interrupted goes on from the events of its
// log: what next() says depends on the summaries alone.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "prove/gate/verdict.h"

namespace cg::gate {

inline constexpr unsigned kMaxAttempts = 3;
inline constexpr std::size_t kMaxAttemptTests = 20;
inline constexpr std::size_t kMaxAttemptErrors = 8192;  // bytes

/// A failed attempt in words: for the planner, which must not try the same again.
struct AttemptSummary {
  unsigned number = 1;                     // the first is 1
  std::vector<std::string> failing;        // names of signals, sorted
  std::vector<std::string> failing_tests;  // that the base passes or does not have; bounded
  std::string errors;                      // Signal::said of each and its reasons
  std::vector<std::string> tried;          // "minimist 1.2.5 -> 1.2.6 (relock)": the caller's words
  /// Why it never came to the gates, for whoever proposes next. Not kept in the log.
  std::string told = {};
  friend bool operator==(const AttemptSummary&, const AttemptSummary&) = default;
};
[[nodiscard]] AttemptSummary summarise(unsigned number, const Failed& failed,
                                       std::vector<std::string> tried);

struct Retry {
  unsigned number = 2;  // of the attempt to come
};
struct Final {
  std::string reason;  // "trace failed: not tried again", "three attempts"
};
using Next = std::variant<Retry, Final>;

/// After these failed attempts, oldest first. None yet: Retry{1}.
[[nodiscard]] Next next(const std::vector<AttemptSummary>& history);

}  // namespace cg::gate
