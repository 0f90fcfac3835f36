// Obstacle: one thing that stands in the way of proving a fix.
#pragma once

#include <string>
#include <string_view>

namespace cg::preflight {

enum class Severity {
  blocks,    // the install cannot succeed: nothing is installed or run
  may_fail,  // tests may fail for it, at the base too
  note,
};
/// "blocks", "may_fail", "note".
[[nodiscard]] std::string_view name(Severity severity);

enum class Kind {
  package_manager,  // another one than the lock's is named
  node_version,     // the repository names others than this machine's
  address,          // a package that no registry has
  install_script,   // of a package
  own_script,       // of the repository, run by an install elsewhere
  service,          // that tests may talk to
  browser,
};
[[nodiscard]] std::string_view name(Kind kind);

/// Texts are printable and of one line.
struct Obstacle {
  Kind kind = Kind::service;
  Severity severity = Severity::note;
  std::string lockfile;  // whose install or tests it is about
  std::string where;     // a file, or "name@version" of a package
  std::string what;
  std::string next;  // what to do; the same for obstacles that one thing helps against
  friend bool operator==(const Obstacle&, const Obstacle&) = default;
};

}  // namespace cg::preflight
