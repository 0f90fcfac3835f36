// Signal: one thing a fix must show.
//
// Signals are facts about runs: numbers that were counted, never an estimate of how good a
// fix is. tests/fence refuses names that would smuggle one in.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "prove/runners/test_run.h"
#include "trust/hash/digest.h"

namespace cg::gate {

enum class State {
  passed,
  failed,
  missing,  // required, and could not be had: counts as failed
  forged,   // whoever was to be judged gave the answer itself: failed, and nobody tries again
  absent,   // this repository has no such check; the reason says why. Counts as nothing
};
/// "passed", "failed", "missing", "forged", "absent".
[[nodiscard]] std::string_view name(State state);

// Numbers of one side, base or fix.
struct StepNumbers {
  std::string ending;  // "exit 0", "took longer than 180 s"
};
struct TestNumbers {
  std::string runner;  // "jest"; "unknown"
  std::string ending;
  runners::Totals totals;
};
struct TypeNumbers {
  std::uint64_t errors = 0;
};
struct LockNumbers {
  std::uint64_t entries = 0;
  std::uint64_t foreign = 0;            // come from no registry that is configured
  std::uint64_t without_integrity = 0;  // that should have one
  std::uint64_t lies = 0;               // lockfile::Lint
};
struct AdvisoryNumbers {
  std::uint64_t copies = 0;      // under some advisory
  std::uint64_t advisories = 0;  // that apply to some copy
};
struct TraceNumbers {
  std::uint64_t executables = 0;
  std::uint64_t connections = 0;
};
using Numbers =
    std::variant<StepNumbers, TestNumbers, TypeNumbers, LockNumbers, AdvisoryNumbers, TraceNumbers>;

/// One side's run of the step that a signal rests on.
struct StepFacts {
  std::string ending;
  std::optional<int> exit;
  std::chrono::milliseconds wall{};
  hash::Digest out{};  // SHA-256 of all it wrote to standard output
  hash::Digest err{};
};

/// Where it went wrong: with the fix, at the base, or in another gate that this one waits for.
enum class Blame { fix, base, other };

inline constexpr std::size_t kMaxReasons = 20;
inline constexpr std::size_t kMaxReasonBytes = 300;
inline constexpr std::size_t kMaxExcerptBytes = 4096;

struct Signal {
  std::string name;  // "typecheck.typescript"
  State state = State::missing;
  bool required = true;
  std::optional<Numbers> before;
  std::optional<Numbers> after;
  std::vector<std::string> reasons;  // printable lines; at most kMaxReasons, then "and 12 more"
  std::string words;                 // for the line of progress: "184 passed, same as before"
  std::string command;               // as a shell would take it; empty if nothing was run
  std::optional<StepFacts> base_step;
  std::optional<StepFacts> fix_step;
  std::string excerpt;  // of failing output, for people: without escapes, several lines
  std::string said;     // what went wrong, the same whenever it does (runners/failure.h); bounded
  std::vector<std::string> failing_tests;  // broken, missing or new; at most kMaxReasons
  std::string weak;                        // why passing says little, one line; empty: it does not
  Blame blame = Blame::fix;                // of one that is in the way

  [[nodiscard]] bool passed() const { return state == State::passed; }
  /// "base" or "fix"; empty if it is not in the way, or another gate is to blame.
  [[nodiscard]] std::string_view side() const;
  /// Stands in the way of a pass.
  [[nodiscard]] bool blocks() const { return required && state != State::passed; }
};

/// Adds a reason: one printable line, no more than the bound; the last says how many more.
class Reasons {
 public:
  explicit Reasons(std::vector<std::string>& out) : out_(out) {}
  ~Reasons();
  Reasons(const Reasons&) = delete;
  Reasons& operator=(const Reasons&) = delete;
  void add(std::string_view reason);
  [[nodiscard]] std::size_t size() const { return count_; }

 private:
  std::vector<std::string>& out_;
  std::size_t count_ = 0;
};

}  // namespace cg::gate
