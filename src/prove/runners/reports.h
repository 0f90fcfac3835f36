// The formats in which runners report, each read into a TestRun. Private to this module.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "prove/runners/test_run.h"

namespace cg::runners {

/// Collects the tests of a report, within bounds.
class CaseList {
 public:
  CaseList(Runner runner, std::string_view root);

  /// The parts of the id from the outside in; empty ones are left out.
  void add(const std::vector<std::string_view>& parts, Outcome outcome);
  /// What the test that was added last said when it failed.
  void said(std::string text);
  [[nodiscard]] std::string_view root() const { return root_; }
  /// Keeps the first reason of several.
  void lacks(std::string_view why);
  [[nodiscard]] const Totals& totals() const { return run_.totals; }
  [[nodiscard]] TestRun finish() &&;

 private:
  TestRun run_;
  std::string_view root_;
};

/// jest's, and vitest's in the same shape.
[[nodiscard]] TestRun read_jest_json(Runner runner, std::string_view text, std::string_view root);
[[nodiscard]] TestRun read_mocha_json(std::string_view text, std::string_view root);
/// TAP 13 and 14 with subtests, as node:test, node-tap and ava write them.
[[nodiscard]] TestRun read_tap(Runner runner, std::string_view text, std::string_view root);

}  // namespace cg::runners
