// codegenie key delete
#include <algorithm>

#include "commands/key/key_words.h"

namespace cg::program {

namespace {

bool failed(const leaf::StoreReport& place) {
  return place.state == leaf::KeyState::locked || place.state == leaf::KeyState::unavailable;
}

std::string delete_text(const std::vector<leaf::StoreReport>& places) {
  std::string out;
  for (const leaf::StoreReport& place : places) {
    if (place.state == leaf::KeyState::removed) {
      out += "Deleted from " + store_words(place.store) + "\n";
    } else if (failed(place)) {
      out += "Not looked for in " + store_words(place.store) + ": " + place.detail + "\n";
    }
  }
  return out.empty() ? "No store has it\n" : out;
}

Result<Report, Problem> run_delete(const cli::Invocation& invocation, Session&) {
  CG_TRY_ASSIGN(const leaf::KeyOrder order, key_order(invocation, leaf::KeyVerb::remove));
  CG_TRY_ASSIGN(const leaf::KeyAnswer answer, carry_key_order(order, {}, "nothing was deleted"));
  const auto* listed = std::get_if<leaf::KeyListed>(&answer);
  const auto places = listed == nullptr ? std::vector<leaf::StoreReport>() : listed->places;
  const bool whole = std::none_of(places.begin(), places.end(), failed);
  return json_report(
      key_json("delete", order.key_name, places),
      [places](const cli::Style&) { return delete_text(places); },
      whole ? ExitCode::ok : ExitCode::guard);
}

}  // namespace

Entry key_delete_command() {
  return {{.path = {"key", "delete"},
           .summary = "Delete the key from its stores",
           .about = {"From every store that has it, or from one. Exits with 6 if a store could "
                     "not be looked into: it may still have one. Deleting is not revoking: whoever "
                     "copied the key can use it until its issuer revokes it."},
           .arguments = {key_name_argument()},
           .flags = {key_store_flag()},
           .formats = {cli::Format::table, cli::Format::json},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::guard},
           .examples = {{"codegenie key delete anthropic", "from all of them"}}},
          run_delete};
}

}  // namespace cg::program
