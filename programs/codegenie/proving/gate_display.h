// GateDisplay: what is told while a fix is being proven.
#pragma once

#include <string>
#include <string_view>

#include "progress.h"
#include "prove/gate/trial.h"

namespace cg::program {

/// On standard error: a live line for the step that runs, and a line that stays for each
/// that is over. Silent with -q and with --progress none.
class GateDisplay {
 public:
  GateDisplay(const cli::Invocation& invocation, const Session& session)
      : line_(invocation, session), style_(session.err_style) {}

  /// "attempt 1, codegenie/…: with the fix".
  void head(const std::string& text);
  void step(const gate::Progress& progress);
  /// Output of the step that runs: only that there is some is shown.
  void output(std::string_view bytes);

 private:
  ProgressLine line_;
  cli::Style style_;
  std::string running_;
  std::uint64_t bytes_ = 0;
};

}  // namespace cg::program
