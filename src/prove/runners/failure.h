// Failure: what went wrong, in words that are the same whenever and wherever it goes wrong again.
//
// For questions to a model: the same failure is to make the same question, whatever the clock, the
// process ids and ports, the names of temporary folders, and whether node is 18, 20 or 22. Times,
// numbers of processes and ports, and such names become words; lines of node's own insides and of
// the package manager go, and of a stack those stay that say where in the repository it was, and
// which line of a package was reached first.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace cg::runners {

inline constexpr std::size_t kMaxFailureBytes = 1024;
inline constexpr std::size_t kMaxFailures = 50;  // of one report

/// What one test said when it failed; the text is told(), at most kMaxFailureBytes.
struct Failure {
  std::string id;
  std::string text;
  friend auto operator<=>(const Failure&, const Failure&) = default;
};

/// `output` of any program, with the folder that it ran in as "". Without escapes, at most `most`
/// bytes, whole lines from the first on.
[[nodiscard]] std::string told(std::string_view output, std::string_view root, std::size_t most);

/// The YAML that stands below a test in TAP: its message, and where it was.
[[nodiscard]] std::string told_in_yaml(const std::vector<std::string>& lines,
                                       std::string_view root);

/// Shortest first, each text once: "b > works, and 2 more:" and the text below it. At most `most`
/// bytes, no failure in part.
[[nodiscard]] std::string list_failures(std::vector<Failure> failures, std::size_t most);

}  // namespace cg::runners
