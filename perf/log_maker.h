// Logs to measure on: events as varied as real ones, and the same for a given seed.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "trust/audit/verify.h"
#include "trust/record/event.h"

namespace cg::perf {

/// Remarks of 40 to 600 bytes made of words, names, versions and numbers, some with
/// quotes, line breaks and letters beyond ASCII; digests are random bytes.
class EventMaker {
 public:
  explicit EventMaker(std::uint64_t seed) : random_(seed) {}
  /// One of what may stand in the spanning stream: nine remarks in ten, the rest
  /// anchors and repairs. Workflow events are left to the log itself.
  [[nodiscard]] record::Event next();
  [[nodiscard]] record::OperatorNoted note();
  [[nodiscard]] record::CheckRan check();

 private:
  [[nodiscard]] std::size_t below(std::size_t n) { return random_() % n; }
  [[nodiscard]] hash::Digest digest();
  [[nodiscard]] std::string number(std::size_t n) { return std::to_string(below(n)); }
  [[nodiscard]] std::string sentence();
  [[nodiscard]] std::string subject();

  std::mt19937_64 random_;
};

/// Absolute paths of a workspace and its guard.
struct LogPlace {
  std::string home;
  std::string guard;
};

/// A new log of exactly `entries` spanning entries, checkpointed at the end, with a
/// workflow of a few checks every five groups of a thousand. Keys, ids and times
/// come from a seed: the same bytes every time. What was at `place` is removed.
void make_log(const LogPlace& place, std::uint64_t entries);

/// The report on a log that has nothing wrong with it; gives up on any other.
[[nodiscard]] audit::LogReport verified(const LogPlace& place);
/// True if there is a log of `entries` entries with nothing wrong.
[[nodiscard]] bool is_good_log(const LogPlace& place, std::uint64_t entries);

}  // namespace cg::perf
