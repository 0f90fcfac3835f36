#include "npm/lockfile/pnpm_lock.h"

#include <algorithm>
#include <utility>

#include "npm/lockfile/lock.h"

namespace cg::lockfile {

namespace {

std::optional<EdgeKind> edge_kind_in_pnpm_lock(std::string_view field) {
  if (field == "dependencies") return EdgeKind::prod;
  if (field == "devDependencies") return EdgeKind::dev;
  if (field == "optionalDependencies") return EdgeKind::optional;
  return std::nullopt;
}

bool is_environment(std::string_view field) {
  return field == "configDependencies" || field == "packageManagerDependencies";
}

}  // namespace

bool PnpmLockReader::run() {
  PnpmDocument document;
  return read_documents() && choose(document) && build(document);
}

bool PnpmLockReader::read_documents() {
  while (yaml_.next_document()) {
    PnpmDocument document;
    if (!read_document(document)) return false;
    documents_.push_back(std::move(document));
  }
  return yaml_.at_end();
}

/// A lock of one project has the fields of its importer at the top.
bool PnpmLockReader::read_document(PnpmDocument& document) {
  Importer root;
  root.path = ".";
  bool has_root = false;
  const bool read = yaml_.each("the lockfile", [&](const Key& field) {
    if (document.begin == 0) document.begin = field.begin;
    if (field.text == "lockfileVersion") {
      document.version_begin = field.begin;
      return yaml_.read(field.text, document.version);
    }
    if (field.text == "importers") return read_importers(document);
    if (field.text == "packages") return read_packages(document, field.text, document.packages);
    if (field.text == "snapshots") return read_packages(document, field.text, document.snapshots);
    if (edge_kind_in_pnpm_lock(field.text)) has_root = true;
    return read_importer_field(document, root, field);
  });
  if (!read) return false;
  if (has_root || document.importers.empty()) {
    finish_importer(document, root);
    document.importers.push_back(root);
  }
  return true;
}

bool PnpmLockReader::read_importers(PnpmDocument& document) {
  return yaml_.each("importers", [&](const Key& path) {
    Importer importer;
    importer.path = path.text;
    importer.dependencies.begin = document.dependencies.size();
    const bool read = yaml_.each(path.text, [&](const Key& field) {
      return read_importer_field(document, importer, field);
    });
    if (!read) return false;
    importer.entry = {path.begin, yaml_.end()};
    finish_importer(document, importer);
    document.importers.push_back(importer);
    return true;
  });
}

bool PnpmLockReader::read_importer_field(PnpmDocument& document, Importer& importer,
                                         const Key& field) {
  if (is_environment(field.text)) document.environment = true;
  if (field.text == "specifiers") return read_specifiers();
  const std::optional<EdgeKind> kind = edge_kind_in_pnpm_lock(field.text);
  if (!kind) return yaml_.skip();
  if (importer.dependencies.end == 0) {
    importer.dependencies.begin = document.dependencies.size();
  }
  if (!read_importer_dependencies(document, field.text, *kind)) return false;
  importer.dependencies.end = document.dependencies.size();
  return true;
}

/// `name: reference`, or since v6 `name: {specifier, version}`.
bool PnpmLockReader::read_importer_dependencies(PnpmDocument& document, std::string_view field,
                                                EdgeKind kind) {
  return yaml_.each(field, [&](const Key& name) {
    Dependency dependency;
    dependency.name = name.text;
    dependency.kind = kind;
    if (yaml_.peek_scalar()) {
      if (!yaml_.read(name.text, dependency.reference)) return false;
    } else {
      const bool read = yaml_.each(name.text, [&](const Key& part) {
        if (part.text == "specifier") return yaml_.read(part.text, dependency.specifier);
        if (part.text == "version") return yaml_.read(part.text, dependency.reference);
        return yaml_.skip();
      });
      if (!read) return false;
    }
    document.dependencies.push_back(dependency);
    return true;
  });
}

bool PnpmLockReader::read_specifiers() {
  return yaml_.each("specifiers", [&](const Key& name) {
    std::string_view specifier;
    if (!yaml_.read(name.text, specifier)) return false;
    specifiers_.emplace_back(name.text, specifier);
    return true;
  });
}

/// Until v5 the specifiers stand beside the dependencies.
void PnpmLockReader::finish_importer(PnpmDocument& document, Importer& importer) {
  importer.dependencies.end = std::max(importer.dependencies.end, importer.dependencies.begin);
  std::sort(specifiers_.begin(), specifiers_.end());
  for (std::size_t i = importer.dependencies.begin; i < importer.dependencies.end; ++i) {
    Dependency& dependency = document.dependencies[i];
    const auto found = std::lower_bound(
        specifiers_.begin(), specifiers_.end(), dependency.name,
        [](const auto& entry, std::string_view name) { return entry.first < name; });
    if (found != specifiers_.end() && found->first == dependency.name) {
      dependency.specifier = found->second;
    }
  }
  specifiers_.clear();
}

bool PnpmLockReader::read_packages(PnpmDocument& document, std::string_view field,
                                   std::vector<Package>& out) {
  return yaml_.each(field, [&](const Key& key) {
    Package package;
    package.key = key;
    package.dependencies.begin = document.dependencies.size();
    package.peers.begin = document.peers.size();
    const bool read = yaml_.each(
        key.text, [&](const Key& part) { return read_package_field(document, package, part); });
    if (!read) return false;
    package.entry = {key.begin, yaml_.end()};
    package.dependencies.end = document.dependencies.size();
    package.peers.end = document.peers.size();
    finish_peers(document, package);
    out.push_back(package);
    return true;
  });
}

bool PnpmLockReader::read_package_field(PnpmDocument& document, Package& package,
                                        const Key& field) {
  if (field.text == "resolution") return read_resolution(package);
  if (field.text == "name") return yaml_.read(field.text, package.name);
  if (field.text == "version") {
    if (!yaml_.read(field.text, package.version)) return false;
    package.version_at = yaml_.scalar_at();
    return true;
  }
  if (field.text == "dev") return yaml_.read(field.text, package.dev);
  if (field.text == "optional") return yaml_.read(field.text, package.optional);
  if (field.text == "requiresBuild") return yaml_.read(field.text, package.requires_build);
  if (field.text == "peerDependencies") return read_peers(document);
  if (field.text == "peerDependenciesMeta") return read_peers_meta();
  const std::optional<EdgeKind> kind = edge_kind_in_pnpm_lock(field.text);
  return kind ? read_dependencies(document, field.text, *kind) : yaml_.skip();
}

bool PnpmLockReader::read_resolution(Package& package) {
  return yaml_.each("resolution", [&](const Key& field) {
    if (field.text == "integrity") return yaml_.read(field.text, package.integrity);
    if (field.text == "tarball") return yaml_.read(field.text, package.tarball);
    if (field.text == "type") return yaml_.read(field.text, package.type);
    if (field.text == "directory") return yaml_.read(field.text, package.directory);
    if (field.text == "repo") return yaml_.read(field.text, package.repo);
    if (field.text == "commit") return yaml_.read(field.text, package.commit);
    if (field.text == "gitHosted") return yaml_.read(field.text, package.git_hosted);
    return yaml_.skip();
  });
}

bool PnpmLockReader::read_dependencies(PnpmDocument& document, std::string_view field,
                                       EdgeKind kind) {
  return yaml_.each(field, [&](const Key& name) {
    Dependency dependency;
    dependency.name = name.text;
    dependency.kind = kind;
    if (!yaml_.read(name.text, dependency.reference)) return false;
    document.dependencies.push_back(dependency);
    return true;
  });
}

bool PnpmLockReader::read_peers(PnpmDocument& document) {
  return yaml_.each("peerDependencies", [&](const Key& name) {
    PnpmDocument::Peer peer;
    peer.name = name.text;
    if (!yaml_.read(name.text, peer.range)) return false;
    document.peers.push_back(peer);
    return true;
  });
}

bool PnpmLockReader::read_peers_meta() {
  return yaml_.each("peerDependenciesMeta", [&](const Key& name) {
    return yaml_.each(name.text, [&](const Key& field) {
      bool optional = false;
      if (field.text != "optional") return yaml_.skip();
      if (!yaml_.read(field.text, optional)) return false;
      if (optional) optional_peers_.push_back(name.text);
      return true;
    });
  });
}

/// A peer that only peerDependenciesMeta names is one of any version.
void PnpmLockReader::finish_peers(PnpmDocument& document, Package& package) {
  const auto by_name = [](const PnpmDocument::Peer& a, const PnpmDocument::Peer& b) {
    return a.name < b.name;
  };
  const auto begin = document.peers.begin() + static_cast<std::ptrdiff_t>(package.peers.begin);
  std::sort(begin, document.peers.end(), by_name);
  for (const std::string_view name : optional_peers_) {
    const auto found =
        std::lower_bound(begin, document.peers.end(), PnpmDocument::Peer{name, {}}, by_name);
    if (found != document.peers.end() && found->name == name) found->optional = true;
  }
  optional_peers_.clear();
}

Result<Graph, LockError> read_pnpm_lock(std::string text) {
  GraphBuilder builder(LockKind::pnpm, std::move(text));
  if (builder.text().size() > kMaxLockBytes) {
    return fail(LockError{LockError::Kind::too_large, {}, "more than 64 MiB"});
  }
  PnpmLockReader reader(builder);
  if (!reader.run()) return fail(reader.error());
  return std::move(builder).finish();
}

}  // namespace cg::lockfile
