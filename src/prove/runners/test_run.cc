#include "prove/runners/test_run.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/base/assert.h"
#include "base/base/text.h"

namespace cg::runners {

namespace {

/// How many tests of one id ended how.
struct Count {
  std::array<std::size_t, 3> base{};
  std::array<std::size_t, 3> fix{};
};

constexpr std::size_t kPassed = static_cast<std::size_t>(Outcome::passed);
constexpr std::size_t kFailed = static_cast<std::size_t>(Outcome::failed);

std::size_t above(std::size_t a, std::size_t b) { return a > b ? a - b : 0; }

void put(std::vector<std::string>& list, std::string_view id, std::size_t times) {
  list.insert(list.end(), times, std::string(id));
}

}  // namespace

std::string_view name(Runner runner) {
  switch (runner) {
    case Runner::unknown:
      return "unknown";
    case Runner::jest:
      return "jest";
    case Runner::mocha:
      return "mocha";
    case Runner::vitest:
      return "vitest";
    case Runner::node_test:
      return "node:test";
    case Runner::tap:
      return "tap";
    case Runner::ava:
      return "ava";
  }
  CG_ASSERT(false);
}

std::string_view name(Outcome outcome) {
  switch (outcome) {
    case Outcome::passed:
      return "passed";
    case Outcome::failed:
      return "failed";
    case Outcome::skipped:
      return "skipped";
  }
  CG_ASSERT(false);
}

std::string describe(const Totals& totals) {
  std::string out = grouped(totals.passed) + " passed";
  if (totals.failed > 0) out += ", " + grouped(totals.failed) + " failed";
  if (totals.skipped > 0) out += ", " + grouped(totals.skipped) + " skipped";
  return out;
}

std::optional<Outcome> outcome_of(const TestRun& run, const std::string& id) {
  for (const Outcome outcome : {Outcome::failed, Outcome::skipped, Outcome::passed}) {
    if (std::binary_search(run.cases.begin(), run.cases.end(), TestCase{id, outcome})) {
      return outcome;
    }
  }
  return std::nullopt;
}

TestDelta compare(const TestRun& base, const TestRun& fix) {
  std::map<std::string_view, Count> counts;
  for (const TestCase& c : base.cases) ++counts[c.id].base[static_cast<std::size_t>(c.outcome)];
  for (const TestCase& c : fix.cases) ++counts[c.id].fix[static_cast<std::size_t>(c.outcome)];
  TestDelta out;
  for (const auto& [id, count] : counts) {
    const std::size_t lost = above(count.base[kPassed], count.fix[kPassed]);
    const std::size_t gained = above(count.fix[kPassed], count.base[kPassed]);
    const std::size_t failing = above(count.fix[kFailed], count.base[kFailed]);
    const std::size_t broken = std::min(lost, failing);
    put(out.broken, id, broken);
    put(out.missing, id, lost - broken);
    put(out.added, id, failing - broken);
    put(out.known, id, std::min(count.base[kFailed], count.fix[kFailed]));
    put(out.mended, id, std::min(above(count.base[kFailed], count.fix[kFailed]), gained));
  }
  return out;
}

}  // namespace cg::runners
