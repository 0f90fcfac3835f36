// What verifying the audit log takes and gives.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/base/time.h"
#include "base/domain/error.h"
#include "trust/audit/anchor.h"
#include "trust/record/checkpoint.h"
#include "trust/record/entry.h"
#include "trust/record/state.h"

namespace cg::audit {

/// What to hold the log against. An empty guard_dir means: judge it on its own.
struct VerifyOptions {
  std::string home_path;
  std::string guard_dir;
  std::string anchor_dir;
};

/// How the open end of the spanning stream was found.
enum class Tail {
  signed_,  // everything lies beneath the checkpoint
  open,     // whole entries lie above it
  torn,     // a write that never finished lies behind the last entry
};
[[nodiscard]] std::string describe(Tail tail);

/// What was found of a log.
struct LogReport {
  std::vector<Problem> breaks;             // empty: integrity is ok; the first is the first found
  std::optional<std::uint64_t> first_bad;  // number of the first entry that does not hold
  std::vector<std::string> gaps;           // empty: completeness is ok
  std::uint64_t entries = 0;
  std::uint64_t bytes = 0;  // of lines
  std::optional<Time> first_time;
  std::optional<Time> last_time;
  hash::Digest head{};
  std::optional<record::TreeHead> checkpoint;
  std::uint64_t workflows = 0;
  std::uint64_t open_workflows = 0;
  std::vector<AnchorStatus> anchors;
  std::uint64_t unanchored = 0;
  std::optional<Time> unanchored_since;  // time of the first entry no anchor covers
  Tail tail = Tail::signed_;
  record::State state;         // derived by replay, after all entries
  record::State signed_state;  // the same at the checkpoint: what state.json holds
};

/// Called now and then with the number of entries read so far.
using Progress = std::function<void(std::uint64_t entries)>;

}  // namespace cg::audit
