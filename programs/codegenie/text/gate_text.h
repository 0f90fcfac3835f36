// What one gate of a workflow said, from its evidence.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json/value.h"
#include "fix/report/case.h"
#include "flow/cli/style.h"
#include "prove/evidence/bundle.h"

namespace cg::program {

/// One verdict of a gate: of a branch, or of an attempt that became none.
struct GateView {
  std::string of;         // "branch codegenie/…", "attempt 1: failed tests"
  json::Value document;   // codegenie/gate/v1
  std::string side;       // whose log is shown: "base" or "fix"
  std::string out, err;   // what the step printed there, as far as it was kept
  std::string test;       // the first test that fails; empty: none is known
  std::string test_text;  // what the log has about it
};

/// Nothing of `side`: where it went wrong, or else with the fix.
[[nodiscard]] std::vector<GateView> gate_views(const evidence::Files& files, std::string_view gate,
                                               const std::optional<std::string>& side);
/// The gates that there are, each once.
[[nodiscard]] std::vector<std::string> gate_names(const evidence::Files& files);

[[nodiscard]] json::Value gates_json(const std::string& workflow, const std::string& gate,
                                     const std::vector<GateView>& views);
[[nodiscard]] std::string gates_text(const std::string& gate, const std::vector<GateView>& views,
                                     const cli::Style& style);

/// What each gate said of one branch, a row each; of those that became no branch it is empty.
[[nodiscard]] std::string gate_table(const std::vector<report::Gate>& gates,
                                     std::string_view branch, const cli::Style& style);

}  // namespace cg::program
