#include "flow/repository/locks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/json/json.h"
#include "base/yaml/yaml.h"
#include "flow/repository/lock_roots.h"
#include "npm/npm/glob.h"

namespace cg::repository {

namespace {

using json::Value;
using npm::LockKind;

constexpr std::size_t kMaxSettingsBytes = 1U << 20U;
constexpr std::size_t kMaxDisagreements = 1'000;

bool contains(const std::vector<std::string>& sorted, const std::string& path) {
  return std::binary_search(sorted.begin(), sorted.end(), path);
}

/// `path` as seen from `folder`; nothing if it is not beneath it.
std::optional<std::string> relative_to(std::string_view folder, std::string_view path) {
  if (folder.empty()) return std::string(path);
  if (!path.starts_with(folder) || path.size() <= folder.size() || path[folder.size()] != '/') {
    return std::nullopt;
  }
  return std::string(path.substr(folder.size() + 1));
}

std::vector<std::string> texts_in(const Value* list) {
  std::vector<std::string> out;
  if (list == nullptr || !list->is_array()) return out;
  for (const Value& item : *list->as_array()) {
    if (item.is_string()) out.push_back(*item.as_string());
  }
  return out;
}

/// "a" of "a", "a@1", "b>a@1" and "b@2/a": the package that an override is about.
void add_keys(const Value* overrides, std::vector<std::string>& out) {
  if (overrides == nullptr || !overrides->is_object()) return;
  for (const auto& [key, value] : *overrides->as_object()) {
    const std::string last = key.substr(key.rfind('>') + 1);
    out.push_back(last.substr(0, last.find('@', 1)));
  }
}

class Loader {
 public:
  Loader(const os::Dir& dir, const RepoFiles& files) : dir_(dir), files_(files) {}

  LoadedLocks run() {
    for (const LockRoot& root : lock_roots(files_)) load_root(root);
    tell_unsupported();
    tell_uncovered();
    return std::move(out_);
  }

 private:
  /// What the files beside the lock say about the workspace.
  struct Settings {
    std::vector<std::string> pnpm_packages;
    std::vector<std::string> lerna_packages;
    std::vector<std::string> overridden;
  };

  const npm::Manifest* manifest_at(const std::string& path) {
    const auto known = manifests_.find(path);
    if (known != manifests_.end()) return known->second ? &*known->second : nullptr;
    auto& slot = manifests_[path];
    auto loaded = load_manifest(dir_, path);
    if (!loaded) {
      out_.errors.push_back(std::move(loaded).error());
      return nullptr;
    }
    slot = *std::move(loaded);
    return &*slot;
  }

  void load_root(const LockRoot& root) {
    const std::string path = join(root.folder, "package.json");
    const npm::Manifest* manifest = nullptr;
    if (contains(files_.manifests, path)) {
      manifest = manifest_at(path);
    } else {
      add_note(out_.notes, root.locks.front().path, "no package.json beside this lockfile");
    }
    const Settings settings = read_settings(root.folder, manifest);
    const Choice choice = choose(root, manifest, files_);
    for (std::size_t i = 0; i < root.locks.size(); ++i) {
      if (i != choice.index) tell_stray(root.locks[choice.index], root.locks[i], choice);
      load_lock(root, root.locks[i], manifest, settings, i == choice.index);
    }
  }

  void tell_stray(const LockFile& chosen, const LockFile& stray, const Choice& choice) {
    add_note(out_.notes, stray.path,
             "a stray lockfile: " + chosen.path + " is the one that counts, as " + choice.reason);
  }

  Settings read_settings(const std::string& folder, const npm::Manifest* manifest) {
    Settings settings;
    const std::string pnpm = join(folder, "pnpm-workspace.yaml");
    if (contains(files_.pnpm_workspaces, pnpm)) {
      if (const auto value = read_value(pnpm, yaml::parse_yaml)) {
        settings.pnpm_packages = texts_in(value->find("packages"));
        add_keys(value->find("overrides"), settings.overridden);
        for (auto& name : texts_in(value->find("ignoredOptionalDependencies"))) {
          settings.overridden.push_back(std::move(name));
        }
      }
    }
    const std::string lerna = join(folder, "lerna.json");
    if (contains(files_.lerna, lerna)) {
      if (const auto value = read_value(lerna, json::parse_json)) {
        settings.lerna_packages = texts_in(value->find("packages"));
      }
    }
    if (manifest != nullptr) {
      add_keys(&manifest->pnpm_overrides, settings.overridden);
      add_keys(&manifest->resolutions, settings.overridden);
    }
    return settings;
  }

  template <class Parse>
  std::optional<Value> read_value(const std::string& path, const Parse& parse) {
    auto text = dir_.read(path, kMaxSettingsBytes);
    if (!text) {
      out_.errors.push_back(from_os(text.error(), path));
      return std::nullopt;
    }
    auto value = parse(*text, json::Limits{});
    if (value) return *std::move(value);
    out_.errors.push_back(from_parse(value.error(), path, *text));
    return std::nullopt;
  }

  static std::vector<std::string> patterns_of(LockKind kind, const npm::Manifest* manifest,
                                              const Settings& settings) {
    if (kind == LockKind::pnpm) return settings.pnpm_packages;
    if (manifest != nullptr && !manifest->workspaces.empty()) return manifest->workspaces;
    return settings.lerna_packages;
  }

  /// Root first. Their paths are relative to the lock, as everything in its graph is.
  std::vector<npm::Manifest> manifests_of(const LockRoot& root, const npm::Manifest* manifest,
                                          const std::vector<std::string>& patterns) {
    std::vector<npm::Manifest> out;
    if (manifest != nullptr) {
      out.push_back(*manifest);
      out.back().path = "package.json";
      covered_.insert(manifest->path);
    }
    if (patterns.empty()) return out;
    for (const std::string& path : files_.manifests) {
      const auto relative = relative_to(root.folder, path);
      if (!relative || *relative == "package.json") continue;
      if (!npm::is_workspace(patterns, folder_of(*relative))) continue;
      covered_.insert(path);
      if (const npm::Manifest* found = manifest_at(path)) {
        out.push_back(*found);
        out.back().path = *relative;
      }
    }
    return out;
  }

  void load_lock(const LockRoot& root, const LockFile& lock, const npm::Manifest* manifest,
                 const Settings& settings, bool authoritative) {
    auto text = dir_.read(lock.path, lockfile::kMaxLockBytes);
    if (!text) return out_.errors.push_back(from_os(text.error(), lock.path));
    auto manifests = manifests_of(root, manifest, patterns_of(lock.kind, manifest, settings));
    auto graph = lockfile::read_lock(lock.kind, *std::move(text), manifests);
    if (!graph) {
      // The text went into the reader. It is looked at once more for the message alone.
      const auto again = dir_.read(lock.path, lockfile::kMaxLockBytes);
      return out_.errors.push_back(
          from_lock(graph.error(), lock.path, again ? std::string_view(*again) : "?"));
    }
    for (npm::Manifest& each : manifests) each.path = join(root.folder, each.path);
    out_.locks.push_back({lock.path, authoritative, std::move(manifests), *std::move(graph)});
    if (authoritative) find_disagreements(out_.locks.back(), settings);
  }

  void find_disagreements(const LoadedLock& lock, const Settings& settings) {
    auto found =
        compare({lock.path, lock.folder(), lock.graph, lock.manifests, settings.overridden});
    for (Disagreement& each : found) {
      if (out_.disagreements.size() < kMaxDisagreements) {
        out_.disagreements.push_back(std::move(each));
      } else {
        ++out_.disagreements_left_out;
      }
    }
  }

  void tell_unsupported() {
    for (const std::string& path : files_.unsupported_locks) {
      const bool beside = std::any_of(files_.locks.begin(), files_.locks.end(), [&](const auto& l) {
        return folder_of(l.path) == folder_of(path);
      });
      const std::string what = "bun's lockfiles are not read";
      if (beside) {
        add_note(out_.notes, path, what + "; the other lockfile beside it is");
      } else {
        out_.errors.push_back({FileError::Kind::unsupported, path, {}, what});
      }
    }
    const bool none =
        files_.locks.empty() && files_.unsupported_locks.empty() && files_.skipped.empty();
    if (!none) return;
    const std::string what =
        files_.manifests.empty() ? "neither a lockfile nor a package.json" : "no lockfile";
    add_note(out_.notes, ".", what);
    out_.errors.push_back({FileError::Kind::no_lockfile, ".", {}, what});
  }

  void tell_uncovered() {
    if (files_.locks.empty()) return;
    for (const std::string& path : files_.manifests) {
      if (!covered_.contains(path)) add_note(out_.notes, path, "no lockfile covers this manifest");
    }
  }

  const os::Dir& dir_;
  const RepoFiles& files_;
  LoadedLocks out_;
  std::map<std::string, std::optional<npm::Manifest>> manifests_;  // empty where it is broken
  std::set<std::string> covered_;
};

}  // namespace

LoadedLocks load_locks(const os::Dir& dir, const RepoFiles& files) {
  return Loader(dir, files).run();
}

Result<npm::Manifest, FileError> load_manifest(const os::Dir& dir, const std::string& path) {
  auto text = dir.read(path, npm::kMaxManifestBytes);
  if (!text) return fail(from_os(text.error(), path));
  auto manifest = npm::parse_manifest(path, *text);
  if (!manifest) return fail(from_manifest(manifest.error(), path, *text));
  return *std::move(manifest);
}

}  // namespace cg::repository
