// TestRun: what a test suite said about each of its tests.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "prove/runners/failure.h"

namespace cg::runners {

enum class Runner { unknown, jest, mocha, vitest, node_test, tap, ava };
/// "jest", "node:test"; "unknown".
[[nodiscard]] std::string_view name(Runner runner);

enum class Outcome : std::uint8_t { passed, failed, skipped };
/// "passed", "failed", "skipped".
[[nodiscard]] std::string_view name(Outcome outcome);

/// The id is file > suite > name as far as the runner tells them, printable, at most
/// kMaxIdBytes. Several tests may share one.
struct TestCase {
  std::string id;
  Outcome outcome = Outcome::passed;
  friend auto operator<=>(const TestCase&, const TestCase&) = default;
};

inline constexpr std::size_t kMaxCases = 100'000;
inline constexpr std::size_t kMaxIdBytes = 512;

struct Totals {
  std::uint64_t passed = 0;
  std::uint64_t failed = 0;
  std::uint64_t skipped = 0;
  friend bool operator==(const Totals&, const Totals&) = default;
};
/// "184 passed", "12 passed, 1 failed, 3 skipped".
[[nodiscard]] std::string describe(const Totals& totals);

/// How much is known about a run besides how its command ended.
enum class Detail {
  none,    // nothing
  counts,  // numbers of a summary line, which any test could print: never more than a hint
  cases,   // each test by name, from a report
};

struct TestRun {
  std::string runner = "unknown";  // "jest"; of several "jest, mocha"
  Detail detail = Detail::none;
  bool asked = false;             // for a report: what was printed then counts for nothing
  std::vector<TestCase> cases;    // sorted
  std::vector<Failure> failures;  // of those that failed and said why; bounded, sorted by id
  Totals totals;
  /// The report ends as its runner ends one. False: `why_not` says in a few words what it lacks.
  bool complete = false;
  std::string why_not;
};

/// Of tests that share an id, the worst: failed, skipped, passed. Nothing if there is none.
[[nodiscard]] std::optional<Outcome> outcome_of(const TestRun& run, const std::string& id);

/// What the tests of a fix lack against those of the base. Each list is sorted; an id is
/// there once for each time it counts.
struct TestDelta {
  std::vector<std::string> broken;   // passed before, fail now
  std::vector<std::string> missing;  // passed before, are not run or skipped now
  std::vector<std::string> added;    // fail now, were not there before
  std::vector<std::string> known;    // failed before, fail now: allowed
  std::vector<std::string> mended;   // failed before, pass now
  [[nodiscard]] bool is_clean() const { return broken.empty() && missing.empty() && added.empty(); }
};
/// Both runs by name. Tests that share an id are counted by outcome, as nobody can tell
/// which is which.
[[nodiscard]] TestDelta compare(const TestRun& base, const TestRun& fix);

}  // namespace cg::runners
