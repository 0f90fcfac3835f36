// Tools: node and the package managers of this machine, and what of the disk they need.
//
// They are found where the operator's PATH has them and named by where they really are, so
// that a chamber has to show the folders of the tools and not those of links to them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "trust/hash/digest.h"

namespace cg::catalog {

/// A program, with what starts it: {"/usr/bin/node", "/usr/lib/node_modules/npm/bin/npm-cli.js"}.
struct Tool {
  std::vector<std::string> argv;
  std::string version;
  friend bool operator==(const Tool&, const Tool&) = default;
};

struct Tools {
  std::string node;          // the real file
  std::string node_version;  // "20.11.0"
  std::optional<Tool> npm;
  std::optional<Tool> yarn;
  std::optional<Tool> pnpm;
  /// Folders and files outside of /usr, /bin and /lib* that have to be visible, in order,
  /// none beneath another. Never the root or the operator's home, nor one above it.
  std::vector<std::string> readable;
  /// For the variable PATH inside: where node is, where the others are, /usr/bin, /bin.
  std::string path;
  /// Over what runs a step: the bytes of node and of our own jail, the others by name and version.
  hash::Digest digest{};
  /// The folder whose include/node has the headers of this very node, for what is built against
  /// it; empty: they are not here.
  std::string headers;
  /// What was found and cannot be used, one line each.
  std::vector<std::string> notes;
};

/// `path` is a PATH, `home` the operator's folder. Starts node once, which says where it
/// and its version really are: what PATH has may be a shim. The error is one line: there is no
/// node.
[[nodiscard]] Result<Tools, std::string> find_tools(std::string_view path, const std::string& home);

}  // namespace cg::catalog
