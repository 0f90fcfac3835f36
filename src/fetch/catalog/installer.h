// Installer: the command that installs what a lock says, from a shelf and nothing else.
//
// Each package manager is told by flags and variables, which its own files cannot take
// back: where the registry is, also for scopes; that there is no proxy; that no script of
// a package runs; that the lock is not to be changed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "fetch/catalog/shelf.h"
#include "fetch/catalog/tools.h"
#include "npm/npm/graph.h"

namespace cg::catalog {

/// What decides how a repository is installed.
struct Project {
  npm::LockKind lock = npm::LockKind::package_lock;
  std::string lock_version;         // npm::Graph::lock_version()
  std::vector<std::string> scopes;  // "@scope": of all packages in the lock
  std::string yarnrc;               // the text of .yarnrc.yml; empty if there is none
  std::string own_yarn = {};        // beneath Place::tree: this one, and not that of the tools
};
/// `yarnrc` as above; the yarn that it names (yarnrc.h: own_yarn_of()) is the own one.
[[nodiscard]] Project project_of(const npm::Graph& graph, std::string yarnrc);

/// Where things are inside of the chamber.
struct Place {
  std::uint16_t port = kShelfPort;
  std::string mirror;            // Shelf::mirror; yarn 1 reads it as files
  std::string tree = "/tree";    // the repository
  std::string scratch = "/tmp";  // for homes and caches; they may be left there
};

struct Command {
  std::vector<std::string> argv;
  std::vector<std::string> env;
};

struct Install {
  Command install;
  /// Runs the install scripts of those packages that may; nothing if none was named.
  std::optional<Command> rebuild;
  /// Starts the manager where it runs scripts of the repository: "run", "build" go behind. Nothing
  /// that it does then needs a network; `env` is added to what steps have.
  Command run;
  /// What a command of an installed package goes behind; empty: it is in node_modules/.bin.
  std::vector<std::string> commands;
  /// To be written into the tree before: name and bytes.
  std::vector<std::pair<std::string, std::string>> files;
  /// To be visible inside, at the same path: of the tools and, for yarn 1, the mirror.
  std::vector<std::string> readable;
  /// Folders under Place::scratch that it fills and the packages are run from.
  std::vector<std::string> leaves;
  /// What the operator should know, one line each.
  std::vector<std::string> notes;
};

/// `scripts` are the names of packages whose install scripts policy allows. The error is
/// one line: the package manager is not here, or cannot do this.
[[nodiscard]] Result<Install, std::string> plan_install(const Project& project, const Tools& tools,
                                                        const Place& place,
                                                        const std::vector<std::string>& scripts);

}  // namespace cg::catalog
