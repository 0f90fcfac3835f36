// Session: what the process was started with, read once. Everything after works
// on this value, so a run is a function of it.
#pragma once

#include <optional>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "ci_key.h"
#include "fetch/catalog/tools.h"
#include "flow/cli/config.h"
#include "flow/cli/parse.h"
#include "flow/cli/style.h"
#include "flow/supplies/surroundings.h"

namespace cg::program {

struct Seal;  // sealing/seal.h

struct Session {
  cli::Args args;  // without the program name
  cli::Environment environment;
  cli::Terminal in = cli::Terminal::no;
  cli::Terminal out = cli::Terminal::no;
  cli::Terminal err = cli::Terminal::no;
  /// Whether a person or a CI runner reads standard output, and not just a program or a file.
  bool out_is_watched = false;
  cli::Style out_style;
  cli::Style err_style;
  /// What resolving the settings gave. Set by the frame before a handler runs;
  /// handlers read it through settings().
  std::optional<Result<cli::Settings, Problem>> resolved;

  /// node and the package managers of this machine, or why there are none. Looked for by the
  /// frame, before it is too late to start anything, for a command that proves fixes.
  std::optional<Result<catalog::Tools, std::string>> tools;
  supplies::Machine machine;

  /// The key that CI gave, on its way to the spawner.
  CiKey ci_key;

  /// What holds this process. Set by the frame before a handler runs; null for a command
  /// that reads nothing.
  const Seal* seal = nullptr;

  /// The effective settings. Fails on a broken configuration, which therefore
  /// stops only commands that need one: `help` and `explain` still work.
  [[nodiscard]] Result<cli::Settings, Problem> settings() const;
};

/// Does not decide the styles, as these need the flags.
[[nodiscard]] Session read_session(int argc, const char* const* argv,
                                   const char* const* environment);

/// Sets both styles from flag, setting, variables and terminals.
void decide_styles(Session& session, std::optional<std::string> color_flag);

/// Reads the configuration files and layers the settings. A file that --config
/// names must exist; one that is only looked for need not.
[[nodiscard]] Result<cli::Settings, Problem> load_settings(const cli::Invocation& invocation,
                                                           const cli::Environment& environment);

}  // namespace cg::program
