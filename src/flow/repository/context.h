// RepoContext: everything about a repository that later stages ask for, as one value.
//
// Gathered without network, without running anything, and through one open folder. It
// is what `codegenie/context/v1` (doc/schema/context.json) says in JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json/value.h"
#include "flow/repository/dockerfile.h"
#include "flow/repository/files.h"
#include "flow/repository/git_head.h"
#include "flow/repository/languages.h"
#include "flow/repository/locks.h"
#include "flow/repository/scripts.h"
#include "trust/hash/digest.h"

namespace cg::repository {

/// Who installs the packages of one lock root (or of the repository, if it has none).
struct PackageManager {
  std::string folder;
  std::string name;     // "npm", "yarn", "pnpm", "bun"
  std::string version;  // "9.1.0"; a range if `engines` tells; empty if nobody does
  std::string source;   // of the name: "packageManager", "lockfile"
};

struct LockFact {
  std::string path;
  npm::LockKind kind = npm::LockKind::package_lock;
  std::string lock_version;
  bool authoritative = true;
  hash::Digest sha256{};      // of the file's bytes
  hash::Digest graph{};       // graph_digest()
  std::size_t packages = 0;   // copies, without the repository's own packages and links
  std::size_t importers = 0;  // the repository's own packages
};

struct ManifestFact {
  std::string path;
  std::string name;
  std::string version;
  std::size_t dependencies = 0;
  std::vector<std::pair<std::string, std::string>> engines;
};

struct DockerFact {
  std::string path;
  Dockerfile file;
};

struct NodeVersionFact {
  std::string path;
  std::string version;  // its first line
};

struct RepoContext {
  std::vector<ManifestFact> manifests;
  std::vector<PackageManager> managers;
  std::vector<LockFact> locks;
  std::vector<Script> scripts;
  std::vector<std::string> tsconfigs;
  std::vector<std::string> npmrcs;
  std::vector<DockerFact> dockerfiles;
  std::vector<NodeVersionFact> node_versions;
  std::vector<LanguageShare> languages;
  GitHead git;
  std::vector<Disagreement> disagreements;
  std::vector<FileError> errors;
  std::vector<Note> notes;
  std::size_t entries = 0;
  bool complete = true;  // false if a bound stopped the walk
};

[[nodiscard]] RepoContext gather(const os::Dir& dir);

/// The document, schema "codegenie/context/v1". Bytes that are not UTF-8 are escaped.
[[nodiscard]] json::Value to_json(const RepoContext& context);

/// BLAKE3 over (location, name, version, integrity) of every copy, sorted: the same for
/// two lockfiles that install the same, in whatever order they say it.
[[nodiscard]] hash::Digest graph_digest(const npm::Graph& graph);

}  // namespace cg::repository
