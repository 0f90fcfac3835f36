// PnpmLockReader: from a document to nodes and edges.
#include <algorithm>

#include "base/json/parsing.h"
#include "npm/lockfile/pnpm_lock.h"
#include "npm/npm/reach.h"

namespace cg::lockfile {

namespace {

using Package = PnpmDocument::Package;

constexpr std::string_view kLink = "link:";

std::optional<PnpmFormat> format_of(std::string_view version) {
  const auto is = [&](std::string_view major) {
    return version == major || (version.starts_with(major) && version[major.size()] == '.');
  };
  if (is("5")) return PnpmFormat::v5;
  if (is("6")) return PnpmFormat::v6;
  if (is("9")) return PnpmFormat::v9;
  return std::nullopt;
}

bool is_archive(std::string_view path) {
  return path.ends_with(".tgz") || path.ends_with(".tar.gz") || path.ends_with(".tar");
}

/// A package whose key has a version is the registry's even if a tarball is named:
/// some registries keep theirs elsewhere.
Source source_of(const Package& package, const PnpmKey& key) {
  if (package.type == "git" || !package.repo.empty() || package.git_hosted) return Source::git;
  if (package.type == "directory" || !package.directory.empty()) return Source::directory;
  if (!key.version.empty()) return Source::registry;
  if (!package.tarball.empty()) return Source::tarball;
  const std::string_view reference = key.reference.empty() ? package.key.text : key.reference;
  if (reference.starts_with("file:")) {
    return is_archive(reference) ? Source::tarball : Source::directory;
  }
  return reference.starts_with("git") ? Source::git : Source::tarball;
}

Span part_of(const YamlLock::Key& key, std::string_view part) {
  if (part.empty() || key.inside.end == 0) return {};
  const auto at = key.inside.begin + static_cast<std::uint32_t>(part.data() - key.text.data());
  return {at, at + static_cast<std::uint32_t>(part.size())};
}

}  // namespace

/// Where pnpm keeps its own version and its plugins in the same file, they are a
/// document before the lock; the project does not depend on them.
bool PnpmLockReader::choose(PnpmDocument& out) {
  if (documents_.empty()) {
    return yaml_.fail(LockError::Kind::version, 0, "no lockfileVersion: the text is empty");
  }
  const auto is_lock = [](const PnpmDocument& document) { return !document.environment; };
  auto chosen = std::find_if(documents_.begin(), documents_.end(), is_lock);
  if (chosen == documents_.end()) {
    chosen = documents_.begin();
  } else if (const auto other = std::find_if(chosen + 1, documents_.end(), is_lock);
             other != documents_.end()) {
    return yaml_.fail(LockError::Kind::shape, other->begin, "a second lockfile in the same text");
  }
  out = std::move(*chosen);
  if (out.version.empty()) {
    return yaml_.fail(LockError::Kind::version, out.begin, "no lockfileVersion");
  }
  const std::optional<PnpmFormat> format = format_of(out.version);
  if (!format) {
    return yaml_.fail(
        LockError::Kind::version, out.version_begin,
        "lockfileVersion " + json::excerpt(out.version) + " is not read: 5, 6 and 9 are");
  }
  format_ = *format;
  return true;
}

bool PnpmLockReader::build(const PnpmDocument& document) {
  builder_.set_lock_version(document.version);
  const std::size_t expected =
      document.importers.size() + document.packages.size() + document.snapshots.size();
  nodes_.emplace(expected);
  folders_.emplace(document.importers.size());
  metas_.emplace(document.packages.size());
  builder_.reserve(expected, document.dependencies.size() + document.peers.size());
  if (!add_importers(document)) return false;
  add_packages(document);
  add_edges(document);
  if (!check_names()) return false;
  if (format_ == PnpmFormat::v9) npm::mark_reach(builder_);
  return true;
}

bool PnpmLockReader::add_importers(const PnpmDocument& document) {
  const auto add = [&](const Importer& importer, Source source) {
    Node node;
    node.location = importer.path;
    node.source = source;
    node.entry = importer.entry;
    return folders_->add(builder_.keep(join_path("", importer.path)), builder_.add(node));
  };
  const auto is_root = [](const Importer& importer) { return importer.path == "."; };
  const auto root = std::find_if(document.importers.begin(), document.importers.end(), is_root);
  if (root != document.importers.end()) add(*root, Source::root);
  for (const Importer& importer : document.importers) {
    if (is_root(importer) || add(importer, Source::workspace)) continue;
    return yaml_.fail(LockError::Kind::shape, importer.entry.begin,
                      "the importer `" + json::excerpt(importer.path) + "` is there twice");
  }
  return true;
}

/// v9 tells what a package is in `packages` and what it gets in `snapshots`, once for
/// each choice of peers; before, one entry says both.
void PnpmLockReader::add_packages(const PnpmDocument& document) {
  if (format_ != PnpmFormat::v9) {
    for (const Package& package : document.packages) add_package(package, &package);
    return;
  }
  std::vector<bool> used(document.packages.size(), false);
  for (std::size_t i = 0; i < document.packages.size(); ++i) {
    metas_->add(document.packages[i].key.text, static_cast<NodeId>(i));
  }
  for (const Package& snapshot : document.snapshots) {
    NodeId meta = metas_->find(snapshot.key.text);
    if (meta == kNoNode) meta = metas_->find(without_peers(snapshot.key.text));
    if (meta != kNoNode) used[meta] = true;
    add_package(snapshot, meta == kNoNode ? nullptr : &document.packages[meta]);
  }
  for (std::size_t i = 0; i < document.packages.size(); ++i) {
    if (!used[i]) add_package(document.packages[i], &document.packages[i]);
  }
}

void PnpmLockReader::add_package(const Package& package, const Package* meta) {
  const Package& facts = meta == nullptr ? package : *meta;
  const PnpmKey key = parse_pnpm_key(format_, package.key.text);
  Node node;
  node.location = package.key.text;
  node.name = key.name.empty() ? facts.name : key.name;
  node.version = facts.version.empty() ? key.version : facts.version;
  node.version_at = facts.version.empty() ? part_of(package.key, key.version) : facts.version_at;
  node.integrity = facts.integrity;
  node.resolved = facts.tarball.empty() ? facts.repo : facts.tarball;
  if (node.resolved.empty()) node.resolved = facts.directory;
  if (!facts.commit.empty() && facts.tarball.empty()) {
    node.resolved = builder_.keep(std::string(facts.repo) + "#" + std::string(facts.commit));
  }
  node.source = source_of(facts, key);
  node.entry = package.entry;
  node.flags.install_script = facts.requires_build;
  node.flags.dev = package.dev;
  node.flags.optional = package.optional;
  const NodeId id = builder_.add(node);
  built_.push_back({id, &package, &facts});
  nodes_->add(node.location, id);
}

void PnpmLockReader::name_alias(NodeId to, std::string_view name) {
  if (to == kNoNode) return;
  Node& node = builder_.node(to);
  if (node.source == Source::root || node.source == Source::workspace) return;
  if (node.name.empty()) {
    node.name = name;
  } else if (node.name != name && node.alias.empty()) {
    node.alias = name;
  }
}

/// A link leads to an importer, or to a folder that the lock says nothing else about.
NodeId PnpmLockReader::linked(std::string_view folder, const Dependency& dependency) {
  const std::string path = join_path(folder, dependency.reference.substr(kLink.size()));
  const NodeId known = folders_->find(path);
  if (known != kNoNode) return known;
  Node node;
  node.location = builder_.keep("link:" + path);
  node.name = dependency.name;
  node.resolved = node.location;
  node.source = Source::link;
  const NodeId id = builder_.add(node);
  folders_->add(node.location.substr(kLink.size()), id);
  return id;
}

NodeId PnpmLockReader::target_of(std::string_view folder, const Dependency& dependency) {
  if (dependency.reference.starts_with(kLink)) return linked(folder, dependency);
  dependency_key(format_, dependency.name, dependency.reference, probe_);
  const NodeId found = nodes_->find(probe_);
  return found != kNoNode ? found : nodes_->find(dependency.reference);
}

void PnpmLockReader::add_edges(const PnpmDocument& document) {
  for (const Importer& importer : document.importers) {
    const NodeId from = folders_->find(join_path("", importer.path));
    for (std::size_t i = importer.dependencies.begin; i < importer.dependencies.end; ++i) {
      const Dependency& dependency = document.dependencies[i];
      const NodeId to = target_of(importer.path, dependency);
      name_alias(to, dependency.name);
      const std::string_view range =
          dependency.specifier.empty() ? dependency.reference : dependency.specifier;
      builder_.add(Edge{from, to, dependency.name, range, dependency.kind});
    }
  }
  for (const Built& built : built_) add_package_edges(document, built);
}

/// A package that nothing names could not be looked up anywhere: better no graph than
/// one that hides it.
bool PnpmLockReader::check_names() {
  for (const Built& built : built_) {
    const Node& node = builder_.node(built.node);
    if (!node.name.empty()) continue;
    return yaml_.fail(LockError::Kind::shape, node.entry.begin,
                      "`" + json::excerpt(node.location) + "` names no package");
  }
  return true;
}

/// A peer that was found is among the dependencies: then the edge is a peer's.
void PnpmLockReader::add_package_edges(const PnpmDocument& document, const Built& built) {
  const NodeId from = built.node;
  const Package& package = *built.package;
  const Package& meta = *built.facts;
  const auto first = document.peers.begin() + static_cast<std::ptrdiff_t>(meta.peers.begin);
  const auto last = document.peers.begin() + static_cast<std::ptrdiff_t>(meta.peers.end);
  const auto kind_of = [](const PnpmDocument::Peer& peer) {
    return peer.optional ? EdgeKind::peer_optional : EdgeKind::peer;
  };
  std::vector<bool> found(meta.peers.end - meta.peers.begin, false);
  for (std::size_t i = package.dependencies.begin; i < package.dependencies.end; ++i) {
    const Dependency& dependency = document.dependencies[i];
    Edge edge{from, target_of(".", dependency), dependency.name, dependency.reference,
              dependency.kind};
    name_alias(edge.to, dependency.name);
    const auto peer = std::lower_bound(
        first, last, dependency.name,
        [](const PnpmDocument::Peer& a, std::string_view name) { return a.name < name; });
    if (peer != last && peer->name == dependency.name) {
      found[static_cast<std::size_t>(peer - first)] = true;
      edge.kind = kind_of(*peer);
      edge.range = peer->range;
    }
    builder_.add(edge);
  }
  for (auto peer = first; peer != last; ++peer) {
    if (found[static_cast<std::size_t>(peer - first)]) continue;
    builder_.add(Edge{from, kNoNode, peer->name, peer->range, kind_of(*peer)});
  }
}

}  // namespace cg::lockfile
