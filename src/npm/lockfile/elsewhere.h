// Elsewhere: entries of a lock that are no release of a registry, and what would bring them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "npm/npm/graph.h"

namespace cg::lockfile {

struct Elsewhere {
  enum class Kind {
    archive,   // a file at https://`host`/…, and the lock says which bytes are meant
    unpinned,  // the same, but the lock does not say
    plain,     // an address that is not https, or none that can be read
    git,
    local,    // a file or folder of the repository
    outside,  // a file or folder that is not in the repository
  };
  Kind kind = Kind::git;
  std::string host;  // in lower case, with a port unless it is 443; of archive and unpinned
};

/// Nothing for what a registry has, for the repository's own packages, and for what lies in the
/// tarball of another. `folder` is the lock's, beneath the repository.
[[nodiscard]] std::optional<Elsewhere> elsewhere(const npm::Graph& graph, npm::NodeId id,
                                                 std::string_view folder = "");

/// "host" or "host:port" of an https URL that says nothing else before its path and nothing after
/// it; nothing of others. Characters are those that a name, a number or an address in brackets can
/// have.
[[nodiscard]] std::optional<std::string> https_host(std::string_view url);

}  // namespace cg::lockfile
