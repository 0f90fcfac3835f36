#include "flow/proving/loading.h"

#include <map>
#include <optional>
#include <set>

#include "base/base/text.h"
#include "fetch/catalog/tarball.h"
#include "fetch/catalog/tarball_cache.h"
#include "flow/propose/sources.h"
#include "npm/exports/faults.h"
#include "npm/exports/unpack.h"
#include "npm/semver/version.h"
#include "trust/hash/integrity.h"

namespace cg::proving {

namespace {

constexpr std::size_t kMaxPairs = 32;     // of dependents and what they depend on
constexpr std::size_t kMostUnpacked = 4;  // packages that are kept unpacked before the next pair
constexpr std::size_t kMostShown = 200;

std::string shown_node(const npm::Node& node) {
  return printable(cut_utf8(node.name, kMostShown)) + "@" +
         printable(cut_utf8(node.version, kMostShown));
}

class Loader {
 public:
  explicit Loader(catalog::Catalog& catalog) : catalog_(catalog) {}

  /// Nothing if it cannot be had or read.
  Result<const exports::Unpacked*, Problem> get(const npm::Node& node) {
    const std::string key = std::string(node.name) + "@" + std::string(node.version) + " " +
                            std::string(node.integrity);
    const auto known = unpacked_.find(key);
    if (known != unpacked_.end()) return known->second ? &*known->second : nullptr;
    CG_TRY_ASSIGN(const std::optional<std::string> bytes, read(node));
    std::optional<exports::Unpacked> made;
    if (bytes) {
      if (auto unpacked = exports::unpack(*bytes, {})) made = *std::move(unpacked);
    }
    const auto& kept = unpacked_.emplace(key, std::move(made)).first->second;
    return kept ? &*kept : nullptr;
  }
  /// What get() gave is gone then.
  void make_room() {
    if (unpacked_.size() > kMostUnpacked) unpacked_.clear();
  }

 private:
  Result<std::optional<std::string>, Problem> read(const npm::Node& node) {
    // What is inside of another's tarball, or comes from elsewhere, has none.
    if (node.source != npm::Source::registry || node.flags.bundled) return std::nullopt;
    if (const auto integrity = hash::Integrity::parse(node.integrity)) {
      const catalog::TarballCache cache(catalog_.home());
      CG_TRY_ASSIGN(std::optional<catalog::Tarball> found, cache.find(*integrity));
      const auto version = semver::Version::parse(node.version, {.loose = true});
      if (!found && version) {
        CG_TRY(catalog::read_tarball(catalog_, node.name, *version));
        CG_TRY_ASSIGN(found, cache.find(*integrity));
      }
      if (!found) return std::nullopt;
      auto bytes = catalog_.home().read(found->path, catalog::kMaxTarballBytes);
      return bytes ? std::optional(*std::move(bytes)) : std::nullopt;
    }
    const auto version = semver::Version::parse(node.version, {.loose = true});
    if (!version) return std::nullopt;
    return catalog::read_tarball(catalog_, node.name, *version);
  }

  catalog::Catalog& catalog_;
  std::map<std::string, std::optional<exports::Unpacked>> unpacked_;
};

/// Sources that belong to a manifest and name `package`, and the manifest itself.
Result<exports::Files, Problem> own_files(const propose::Situation& situation,
                                          const std::string& package, const std::string& manifest,
                                          const job::EditedFiles& rewritten) {
  CG_TRY_ASSIGN(const auto files, propose::files_naming(situation, package, manifest));
  exports::Files out(files.begin(), files.end());
  for (const auto& [path, text] : rewritten) {
    if (out.contains(path)) out[path] = text;
  }
  auto text = situation.base.checkout.files().read(manifest, npm::kMaxManifestBytes);
  if (text) out[manifest] = *std::move(text);
  return out;
}

}  // namespace

Result<Done, Problem> add_own_faults(gate::Loading& loading, const std::vector<gate::Moved>& moved,
                                     const npm::Graph& before, const npm::Graph& after,
                                     std::size_t lock, const propose::Situation& situation,
                                     const job::EditedFiles& rewritten) {
  Loader loader(*situation.catalog);
  std::set<std::string> looked;
  for (const gate::Moved& one : moved) {
    if (!npm::is_importer(after.node(one.dependent).source) || one.before == npm::kNoNode) continue;
    for (const npm::Manifest& manifest : situation.lock(lock).manifests) {
      if (manifest.find(one.name) == nullptr) continue;
      if (!looked.insert(manifest.path + " " + one.name).second) continue;
      loader.make_room();
      CG_TRY_ASSIGN(const exports::Unpacked* old, loader.get(before.node(one.before)));
      CG_TRY_ASSIGN(const exports::Unpacked* now, loader.get(after.node(one.dependency)));
      if (old == nullptr || now == nullptr) continue;
      CG_TRY_ASSIGN(const exports::Files files,
                    own_files(situation, one.name, manifest.path, rewritten));
      const auto found = exports::new_faults_of(files, one.name, *old, *now);
      if (!found) continue;
      for (const exports::Fault& fault : *found) {
        loading.faults.push_back(describe(fault) + " in " + shown_node(after.node(one.dependency)));
      }
    }
  }
  return Done{};
}

Result<Done, Problem> add_faults(gate::Loading& loading, const std::vector<gate::Moved>& moved,
                                 const npm::Graph& before, const npm::Graph& after,
                                 catalog::Catalog& catalog) {
  Loader loader(catalog);
  std::set<std::string> told;
  std::size_t left_out = 0;
  for (const gate::Moved& one : moved) {
    const npm::Node& dependent = after.node(one.dependent);
    // Who had none of it before cannot have broken.
    if (npm::is_importer(dependent.source) || one.before == npm::kNoNode) continue;
    const npm::Node& was = before.node(one.before);
    const npm::Node& is = after.node(one.dependency);
    const std::string pair =
        shown_node(dependent) + " with " + shown_node(was) + " and " + shown_node(is);
    if (!told.insert(pair).second) continue;
    if (told.size() > kMaxPairs) {
      ++left_out;
      continue;
    }
    loader.make_room();
    CG_TRY_ASSIGN(const exports::Unpacked* user, loader.get(dependent));
    CG_TRY_ASSIGN(const exports::Unpacked* old, loader.get(was));
    CG_TRY_ASSIGN(const exports::Unpacked* now, loader.get(is));
    const bool all = user != nullptr && old != nullptr && now != nullptr;
    const auto found = all ? exports::new_faults(*user, one.name, *old, *now)
                           : Result<std::vector<exports::Fault>, exports::Error>(
                                 fail(exports::Error::not_a_package));
    if (!found) {
      loading.unchecked.push_back("the sources of " + pair + " cannot be read");
      continue;
    }
    for (const exports::Fault& fault : *found) {
      loading.faults.push_back(shown_node(dependent) + ": " + describe(fault) + " in " +
                               shown_node(is));
    }
  }
  if (left_out > 0) {
    loading.unchecked.push_back(counted(left_out, "pair", "pairs") +
                                " of packages more than are looked at");
  }
  return Done{};
}

}  // namespace cg::proving
