// Release: one published version, with what an installer and a lockfile need of it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/json/value.h"
#include "npm/npm/graph.h"

namespace cg::registry {

/// A dependency as the release declares it.
struct Need {
  std::string name;   // as the release calls it
  std::string range;  // as written: a range, tag, alias, URL
  npm::EdgeKind kind = npm::EdgeKind::prod;
};

using Pairs = std::vector<std::pair<std::string, std::string>>;

struct Release {
  std::string name;
  std::string version;
  /// As npm sees them: a name in optionalDependencies is not in dependencies too; peers
  /// that peerDependenciesMeta calls optional are peer_optional. In the order of the
  /// packument within each kind: prod, optional, peer and peer_optional.
  std::vector<Need> needs;
  std::vector<std::string> bundled;  // names; with `true`, all of dependencies
  std::string tarball;               // as the registry writes it
  std::string integrity;             // dist.integrity; from dist.shasum where that is all there is
  std::string shasum;                // hex
  std::string license;               // empty if unknown or not a text
  std::string deprecated;            // the message; empty if it is not
  Pairs engines;
  std::vector<std::string> os, cpu, libc;
  Pairs bin;              // command to path; a single text is written under the package's own name
  std::string publisher;  // who published it, as the registry has it; empty if it does not say
  json::Value funding;    // null, text, object or array, as published
  bool install_script = false;
  bool shrinkwrap = false;
};

}  // namespace cg::registry
