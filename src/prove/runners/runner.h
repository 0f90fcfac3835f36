// Which program runs the tests, how it is asked to say what became of each one, and how to
// read what it says.
//
// The repository's own script is run as it is; arguments are only added at its end, and
// only if it is one simple command. What is more complex is run without, and then its exit
// code alone tells.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "prove/runners/test_run.h"

namespace cg::runners {

/// The runner that `script` (scripts.test) calls: one command, before it at most variables
/// (`A=b`, cross-env) and npx; no pipes, lists, substitutions or redirections. A script that
/// chooses its own reporter is left alone: unknown.
[[nodiscard]] Runner detect(std::string_view script);

/// What has to be added so that a report comes about.
struct Reporting {
  Runner runner = Runner::unknown;  // unknown: nothing is added
  std::vector<std::string> args;    // of the script: after `npm test --`
  std::vector<std::string> env;     // "NAME=value"
  std::string file;                 // where the report will be; empty: on standard output
};

/// `version` is the runner's, as the lock has it; empty if not known. `file` is an absolute
/// path under /tmp whose name the tests cannot know beforehand.
[[nodiscard]] Reporting reporting(Runner runner, std::string_view version, std::string_view file);

inline constexpr std::size_t kMaxReportBytes = 16U << 20U;

/// Reads a report. Never fails: what cannot be read is not complete, and says why. `root`
/// is taken off the front of file names.
[[nodiscard]] TestRun read_report(Runner runner, std::string_view text, std::string_view root);

/// The numbers of the last summary line of a runner we know, out of what was printed.
/// detail is counts, or none.
[[nodiscard]] TestRun read_summary(std::string_view output);

}  // namespace cg::runners
