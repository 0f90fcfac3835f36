// State: what follows from the log and from nothing else.
//
// Rebuilt by applying every entry in order; `audit replay` does so and compares
// with what the writer kept, byte for byte.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "trust/hash/digest.h"
#include "trust/record/event.h"

namespace cg::record {

struct State {
  std::string log;
  std::uint64_t entries = 0;
  hash::Digest head{};
  std::map<std::string, std::uint64_t, std::less<>> kinds;  // how many of each
  std::set<std::string> open_workflows;                     // started, not ended
  friend bool operator==(const State&, const State&) = default;
};

/// The state after one more entry of the spanning stream.
void apply(State& state, const Event& event, const hash::Digest& head_after);

/// Canonical JSON and a newline: equal states, equal bytes.
[[nodiscard]] std::string write_state(const State& state);
[[nodiscard]] std::optional<State> parse_state(std::string_view bytes);

}  // namespace cg::record
