// codegenie key status
#include <algorithm>

#include "commands/key/key_words.h"

namespace cg::program {

namespace {

std::string status_text(const std::vector<leaf::StoreReport>& places, const cli::Style& style) {
  std::vector<std::vector<cli::Cell>> rows;
  for (const leaf::StoreReport& place : places) {
    const bool held = place.state == leaf::KeyState::held;
    rows.push_back({{std::string(leaf::name(place.store))},
                    {std::string(leaf::name(place.state))},
                    {held ? fingerprint_words(place.fingerprint) : ""},
                    {place.detail}});
  }
  return cli::layout({{"STORE"}, {"STATE"}, {"FINGERPRINT"}, {"DETAIL"}}, rows, style);
}

Result<Report, Problem> run_key_status(const cli::Invocation& invocation, Session&) {
  CG_TRY_ASSIGN(const leaf::KeyOrder order, key_order(invocation, leaf::KeyVerb::status));
  CG_TRY_ASSIGN(const leaf::KeyAnswer answer, carry_key_order(order, {}, "nothing was changed"));
  const auto* listed = std::get_if<leaf::KeyListed>(&answer);
  const auto places = listed == nullptr ? std::vector<leaf::StoreReport>() : listed->places;
  const bool held = std::any_of(places.begin(), places.end(), [](const leaf::StoreReport& place) {
    return place.state == leaf::KeyState::held;
  });
  return json_report(
      key_json("status", order.key_name, places),
      [places](const cli::Style& style) { return status_text(places, style); },
      held ? ExitCode::ok : ExitCode::guard);
}

}  // namespace

Entry key_status_command() {
  return {{.path = {"key", "status"},
           .summary = "Say which stores have a key",
           .about = {"Looks into every store, or one, in the order in which a model call does, and "
                     "tells which has a key, its fingerprint, and why another has none: empty, "
                     "locked, not there. Nothing is unlocked for it. Exits with 6 if there is no "
                     "key to be had."},
           .arguments = {key_name_argument()},
           .flags = {key_store_flag()},
           .formats = {cli::Format::table, cli::Format::json},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::guard},
           .examples = {{"codegenie key status anthropic", "is there one, and where?"}}},
          run_key_status};
}

}  // namespace cg::program
