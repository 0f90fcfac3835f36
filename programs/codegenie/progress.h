// ProgressLine: one live line on standard error while something takes long.
#pragma once

#include <chrono>
#include <string>

#include "flow/cli/parse.h"
#include "session.h"

namespace cg::program {

/// Silent for the first 300 ms, with -q and with --progress none. On a terminal
/// the line replaces itself and is wiped at the end; elsewhere, and when CI is
/// set, a plain line with the UTC time is written about once a second.
class ProgressLine {
 public:
  ProgressLine(const cli::Invocation& invocation, const Session& session);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// One line, made printable() like that of keep().
  void say(const std::string& text);
  [[nodiscard]] bool is_live() const { return kind_ == Kind::live; }
  /// A line that stays, also within the first 300 ms.
  void keep(const std::string& text);

 private:
  enum class Kind { none, plain, live };
  Kind kind_ = Kind::none;
  std::chrono::steady_clock::time_point next_;
  bool shown_ = false;
};

}  // namespace cg::program
