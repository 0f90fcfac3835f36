#include "flow/repository/context.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/base/text.h"
#include "flow/repository/lock_roots.h"
#include "trust/hash/blake3.h"
#include "trust/hash/sha256.h"

namespace cg::repository {

namespace {

constexpr std::size_t kMaxVersionFile = 4'096;
constexpr std::size_t kMaxDockerfiles = 200;
constexpr std::size_t kMaxManifests = 5'000;
constexpr std::string_view kGraphContext = "codegenie 2026 dependency graph v1";

bool is_copy(const npm::Node& node) {
  return node.source != npm::Source::root && node.source != npm::Source::workspace &&
         node.source != npm::Source::link;
}

class Gatherer {
 public:
  explicit Gatherer(const os::Dir& dir) : dir_(dir) {}

  RepoContext run() {
    LanguageCount languages;
    files_ = discover(dir_, [&](const os::Dir& folder, const std::string&,
                                const std::string& name) { languages.add(folder, name); });
    out_.languages = languages.shares();
    if (!languages.all_measured()) {
      add_note(files_.notes, ".", "not all files were measured; bytes per language are too low");
    }
    out_.entries = files_.entries;
    out_.complete = files_.complete;
    out_.notes = files_.notes;
    out_.tsconfigs = files_.tsconfigs;
    out_.npmrcs = files_.npmrcs;
    read_locks();
    read_manifests();
    read_dockerfiles();
    read_node_versions();
    out_.git = read_git_head(dir_, files_.git);
    return std::move(out_);
  }

 private:
  void read_locks() {
    LoadedLocks loaded = load_locks(dir_, files_);
    for (Note& note : loaded.notes)
      add_note(out_.notes, std::move(note.path), std::move(note.what));
    out_.errors = std::move(loaded.errors);
    out_.disagreements = std::move(loaded.disagreements);
    for (LoadedLock& lock : loaded.locks) {
      out_.locks.push_back(fact_of(lock));
      if (lock.authoritative) add_manager(lock);
      for (npm::Manifest& manifest : lock.manifests) keep(std::move(manifest));
    }
    if (out_.managers.empty()) manager_without_lock();
  }

  static LockFact fact_of(const LoadedLock& lock) {
    LockFact fact;
    fact.path = lock.path;
    fact.kind = lock.graph.kind();
    fact.lock_version = lock.graph.lock_version();
    fact.authoritative = lock.authoritative;
    fact.sha256 = hash::sha256(as_bytes(lock.graph.text()));
    fact.graph = graph_digest(lock.graph);
    const auto& nodes = lock.graph.nodes();
    fact.packages = static_cast<std::size_t>(std::count_if(nodes.begin(), nodes.end(), is_copy));
    fact.importers = lock.graph.importers().size();
    return fact;
  }

  /// "pnpm@9.1.0+sha512.…" is pnpm 9.1.0.
  static bool from_field(const npm::Manifest& manifest, PackageManager& manager) {
    const std::string& field = manifest.package_manager;
    const std::size_t at = field.find('@');
    if (field.empty()) return false;
    manager.name = field.substr(0, at);
    if (at != std::string::npos) manager.version = field.substr(at + 1, field.find('+') - at - 1);
    manager.source = "packageManager";
    return true;
  }

  static void from_engines(const npm::Manifest& manifest, PackageManager& manager) {
    for (const auto& [name, range] : manifest.engines) {
      if (name == manager.name) manager.version = range;
    }
  }

  void add_manager(const LoadedLock& lock) {
    PackageManager manager;
    manager.folder = lock.folder();
    const bool has_root =
        !lock.manifests.empty() && lock.manifests.front().folder() == lock.folder();
    if (!has_root || !from_field(lock.manifests.front(), manager)) {
      manager.name = manager_of(lock.graph.kind());
      manager.source = "lockfile";
      if (has_root) from_engines(lock.manifests.front(), manager);
    }
    out_.managers.push_back(std::move(manager));
  }

  void manager_without_lock() {
    const auto& all = files_.manifests;
    if (std::find(all.begin(), all.end(), "package.json") == all.end()) return;
    const auto root = load_manifest(dir_, "package.json");
    PackageManager manager;
    if (root && from_field(*root, manager)) {
      out_.managers.push_back(std::move(manager));
    } else if (!files_.unsupported_locks.empty()) {
      out_.managers.push_back({"", "bun", "", "lockfile"});
    }
  }

  void keep(npm::Manifest manifest) {
    if (!seen_.insert(manifest.path).second) return;
    out_.manifests.push_back({manifest.path, manifest.name, manifest.version,
                              manifest.dependencies.size(), manifest.engines});
    for (Script& script : scripts_of(manifest)) out_.scripts.push_back(std::move(script));
  }

  /// Those that no lockfile covers; the others are known already.
  void read_manifests() {
    const auto broken = [&](const std::string& path) {
      return std::any_of(out_.errors.begin(), out_.errors.end(),
                         [&](const FileError& error) { return error.path == path; });
    };
    for (const std::string& path : files_.manifests) {
      if (seen_.contains(path) || broken(path)) continue;
      if (seen_.size() >= kMaxManifests)
        return add_note(out_.notes, path, "more manifests than are read");
      auto manifest = load_manifest(dir_, path);
      if (manifest) {
        keep(*std::move(manifest));
      } else {
        out_.errors.push_back(std::move(manifest).error());
      }
    }
    const auto by_path = [](const auto& a, const auto& b) { return a.path < b.path; };
    std::sort(out_.manifests.begin(), out_.manifests.end(), by_path);
    std::stable_sort(out_.scripts.begin(), out_.scripts.end(),
                     [](const Script& a, const Script& b) { return a.manifest < b.manifest; });
  }

  void read_dockerfiles() {
    for (const std::string& path : files_.dockerfiles) {
      if (out_.dockerfiles.size() == kMaxDockerfiles) {
        return add_note(out_.notes, path, "more Dockerfiles than are read");
      }
      const auto text = dir_.read(path, kMaxDockerfileBytes);
      if (!text) {
        out_.errors.push_back(from_os(text.error(), path));
        continue;
      }
      auto file = parse_dockerfile(*text);
      if (file) {
        out_.dockerfiles.push_back({path, *std::move(file)});
      } else {
        const std::size_t line = std::max<std::size_t>(file.error().line, 1);
        out_.errors.push_back({FileError::Kind::syntax, path, {line, 1, 0}, file.error().what});
      }
    }
  }

  void read_node_versions() {
    for (const std::string& path : files_.node_versions) {
      const auto text = dir_.read(path, kMaxVersionFile);
      if (!text) {
        out_.errors.push_back(from_os(text.error(), path));
        continue;
      }
      const std::string_view whole = trim(*text);
      out_.node_versions.push_back({path, printable(trim(whole.substr(0, whole.find('\n'))))});
    }
  }

  const os::Dir& dir_;
  RepoFiles files_;
  RepoContext out_;
  std::set<std::string> seen_;
};

}  // namespace

RepoContext gather(const os::Dir& dir) { return Gatherer(dir).run(); }

hash::Digest graph_digest(const npm::Graph& graph) {
  using Row = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;
  std::vector<Row> rows;
  rows.reserve(graph.nodes().size());
  for (const npm::Node& node : graph.nodes()) {
    rows.emplace_back(node.location, node.name, node.version, node.integrity);
  }
  std::sort(rows.begin(), rows.end());
  std::string listing;
  const auto add = [&](std::string_view field) {
    // The length in front: no field can pass for the end of another.
    listing += std::to_string(field.size());
    listing += ':';
    listing += field;
  };
  for (const auto& [location, name, version, integrity] : rows) {
    for (const std::string_view field : {location, name, version, integrity}) add(field);
    listing += '\n';
  }
  return hash::Blake3(kGraphContext).update(as_bytes(listing)).finish();
}

}  // namespace cg::repository
