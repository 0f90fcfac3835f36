// GateDisplay: what a remediation tells while it goes on.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "flow/supplies/surroundings.h"
#include "progress.h"

namespace cg::program {

/// On standard error: a live line for what runs, and a line that stays for each step that is
/// over. Silent with -q and with --progress none.
class GateDisplay final : public supplies::Watcher {
 public:
  GateDisplay(const cli::Invocation& invocation, const Session& session)
      : invocation_(invocation), session_(session), line_(invocation, session) {}

  void busy(const std::string& text) override;
  void done() override { busy_.reset(); }
  void head(const std::string& text) override;
  void step(const gate::Progress& progress) override;
  /// Only that there is some is shown.
  void output(std::string_view bytes) override;

 private:
  const cli::Invocation& invocation_;
  const Session& session_;
  ProgressLine line_;
  std::unique_ptr<ProgressLine> busy_;
  std::string running_;
  std::uint64_t bytes_ = 0;
};

}  // namespace cg::program
