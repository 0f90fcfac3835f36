#include "trust/record/state.h"

#include "trust/record/cursor.h"
#include "trust/record/event_codec.h"

namespace cg::record {

void apply(State& state, const Event& event, const hash::Digest& head_after) {
  ++state.entries;
  state.head = head_after;
  const auto kind = state.kinds.find(kind_of(event));
  if (kind != state.kinds.end()) {
    ++kind->second;
  } else {
    state.kinds.emplace(kind_of(event), 1);
  }
  if (const auto* started = event.as<WorkflowStarted>()) {
    state.open_workflows.insert(started->workflow);
  }
  if (const auto* ended = event.as<WorkflowEnded>()) {
    state.open_workflows.erase(ended->workflow);
  }
}

std::string write_state(const State& state) {
  std::string out = R"({"entries":)" + std::to_string(state.entries);
  out += R"(,"head":")" + to_hex(state.head) + R"(","kinds":{)";
  for (const auto& [kind, count] : state.kinds) {
    if (!out.ends_with('{')) out += ',';
    out += "\"" + kind + "\":" + std::to_string(count);
  }
  out += R"(},"log":")" + state.log + R"(","open_workflows":[)";
  for (const std::string& workflow : state.open_workflows) {
    if (!out.ends_with('[')) out += ',';
    out += "\"" + workflow + "\"";
  }
  return out + "],\"v\":1}\n";
}

std::optional<State> parse_state(std::string_view bytes) {
  State state;
  Cursor cursor(bytes);
  if (!cursor.take(R"({"entries":)")) return std::nullopt;
  const auto entries = cursor.take_number();
  if (!entries || !cursor.take(R"(,"head":)")) return std::nullopt;
  const auto head = cursor.take_digest();
  if (!head || !cursor.take(R"(,"kinds":{)")) return std::nullopt;
  while (!cursor.take("}")) {
    if (!state.kinds.empty() && !cursor.take(",")) return std::nullopt;
    const auto kind = cursor.take_plain_string();
    if (!kind || !cursor.take(":")) return std::nullopt;
    const auto count = cursor.take_number();
    if (!count) return std::nullopt;
    state.kinds.emplace(*kind, *count);
  }
  if (!cursor.take(R"(,"log":)")) return std::nullopt;
  const auto log = cursor.take_plain_string();
  if (!log || !cursor.take(R"(,"open_workflows":[)")) return std::nullopt;
  while (!cursor.take("]")) {
    if (!state.open_workflows.empty() && !cursor.take(",")) return std::nullopt;
    const auto workflow = cursor.take_plain_string();
    if (!workflow) return std::nullopt;
    state.open_workflows.emplace(*workflow);
  }
  state.entries = *entries;
  state.head = *head;
  state.log = *log;
  // Sorted and unique, as the writer leaves it: anything else is not ours.
  if (write_state(state) != bytes) return std::nullopt;
  return state;
}

}  // namespace cg::record
