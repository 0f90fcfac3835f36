#include "asking/handed_on.h"

#include <algorithm>
#include <map>
#include <set>

#include "remediation/recording.h"
#include "trust/hash/blake3.h"

namespace cg::program {

namespace {

bool is_askable(const plan::Copy& copy) {
  return copy.verdict == plan::Verdict::handed_on && copy.blocker == plan::Blocker::major;
}

/// Of the importers of the lock, the first that asks for the package.
std::string manifest_of(const repository::LoadedLock& lock, const std::string& package) {
  for (const npm::Manifest& manifest : lock.manifests) {
    if (manifest.find(package) != nullptr) return manifest.path;
  }
  return lock.manifests.empty() ? "package.json" : lock.manifests.front().path;
}

std::string group_of(const std::string& lockfile, const std::vector<const plan::Copy*>& copies) {
  std::set<std::string> keys;
  for (const plan::Copy* copy : copies) {
    keys.insert(lockfile + "\n" + copy->location + "\n" + copy->advisory + "\n");
  }
  hash::Blake3 digest("codegenie 2026 group of copies v1");
  for (const std::string& key : keys) digest.update(as_bytes(key));
  return to_hex(digest.finish());
}

template <class Get>
std::vector<std::string> sorted(const std::vector<const plan::Copy*>& copies, Get get) {
  std::set<std::string> out;
  for (const plan::Copy* copy : copies) out.insert(get(*copy));
  return {out.begin(), out.end()};
}

}  // namespace

std::vector<HandedOn> handed_on(const Means& means, const std::vector<LockPlan>& plans,
                                record::Events& events) {
  std::vector<HandedOn> out;
  for (const LockPlan& one : plans) {
    std::map<std::string, std::vector<const plan::Copy*>> by_package;
    for (const plan::Copy& copy : one.plan.copies) {
      if (!is_askable(copy)) continue;
      by_package[copy.package].push_back(&copy);
      events.emplace_back(record::RecipeMissed{cut(copy.advisory, 60), cut(copy.location, 500),
                                               cut(copy.package, 210), cut(copy.reason, 500)});
    }
    for (const auto& [package, copies] : by_package) {
      HandedOn group;
      group.lock = one.lock;
      group.package = package;
      group.manifest = manifest_of(means.scanned.loaded.locks[one.lock], package);
      group.versions = sorted(copies, [](const plan::Copy& copy) { return copy.from; });
      group.advisories = sorted(copies, [](const plan::Copy& copy) { return copy.advisory; });
      group.locations = sorted(copies, [](const plan::Copy& copy) { return copy.location; });
      group.group = group_of(one.plan.lockfile, copies);
      out.push_back(std::move(group));
    }
  }
  return out;
}

Wanted wanted_of(const Means& means, const HandedOn& group) {
  Wanted out(means.scanned.hits.size());
  const npm::Graph& graph = means.scanned.loaded.locks[group.lock].graph;
  for (const findings::Hit& hit : means.scanned.hits[group.lock]) {
    const std::string location(graph.node(hit.node).location);
    const auto has = [](const std::vector<std::string>& list, const std::string& word) {
      return std::binary_search(list.begin(), list.end(), word);
    };
    if (has(group.locations, location) && has(group.advisories, hit.advisory)) {
      out[group.lock].push_back(hit);
    }
  }
  return out;
}

}  // namespace cg::program
