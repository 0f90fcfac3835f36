// What test runners say about each test, and how to read it.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "prove/runners/test_run.h"

namespace cg::runners {

/// Of one run: all its reports together, and the files that they lie in, marks included.
inline constexpr std::size_t kMaxReportBytes = 16U << 20U;
inline constexpr std::size_t kMaxReportFiles = 2'000;

/// Reads a report. Never fails: what cannot be read is not complete, and says why. `root`
/// is taken off the front of file names.
[[nodiscard]] TestRun read_report(Runner runner, std::string_view text, std::string_view root);

/// What all runners of a run said, added up: files of Hook::reports by name. Whole only if every
/// runner that started has left a whole report; asked only if one was seen to start.
[[nodiscard]] TestRun read_reports(const std::map<std::string, std::string>& files,
                                   std::string_view root);

/// The numbers of the last summary line of a runner we know, out of what was printed.
/// detail is counts, or none.
[[nodiscard]] TestRun read_summary(std::string_view output);

}  // namespace cg::runners
