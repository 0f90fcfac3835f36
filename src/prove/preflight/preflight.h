// Preflight: what stands in the way of proving a fix, from files alone, before anything is run.
//
// Facts in, obstacles out. Only what can be seen is told: that tests talk to a server which
// nobody started shows in no file, and whether a script that does not run is missed shows when
// the base is tested. So an obstacle ends nothing unless it is known that the packages cannot be
// installed with it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "npm/npm/graph.h"
#include "npm/npm/manifest.h"

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

struct TextFile {
  std::string path;  // beneath the repository
  std::string text;
};

/// A node that a file asks for: "v18", "lts/hydrogen".
struct NodeWish {
  std::string path;
  std::string field;  // "volta.node"; "it" of a file that says nothing else
  std::string text;
};

/// What is known of one lock and of the repository around it.
struct Facts {
  std::string lockfile;
  const npm::Graph& graph;
  const std::vector<npm::Manifest>& manifests;  // root first, then workspaces
  std::string node;                             // of this machine, "20.11.0"; empty: not known
  std::vector<NodeWish> node_wishes;            // beside engines.node of the manifests
  std::vector<TextFile> compose_files;
  std::vector<std::string> run_scripts;  // what policy has under gates.run_scripts, sorted
  std::vector<std::string> fetch_urls;   // and under gates.fetch_urls
  /// "name@version" -> what it runs when it is installed, where somebody could look.
  std::map<std::string, std::string, std::less<>> commands;
};

/// The worst first, then by kind; bounded.
[[nodiscard]] std::vector<Obstacle> look(const Facts& facts);

/// Why nothing of this lock can be installed, with what to do; empty if nothing blocks.
[[nodiscard]] std::string why_blocked(const std::vector<Obstacle>& all, std::string_view lockfile);

/// For who has a base that does not run: which packages would have run something when they were
/// installed, what, and the line of policy that lets them; empty if there are none.
[[nodiscard]] std::string scripts_hint(const std::vector<Obstacle>& all, std::string_view lockfile);

}  // namespace cg::preflight
