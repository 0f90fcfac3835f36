#include "flow/propose/handing_on.h"

#include <algorithm>
#include <deque>
#include <map>

#include "base/base/text.h"
#include "npm/semver/caret.h"

namespace cg::propose {

namespace {

constexpr std::size_t kMaxAncestors = 4;   // that are tried for one copy, nearest first
constexpr std::size_t kMaxPlanned = 40;    // plans made in search of them, for one lockfile
constexpr std::size_t kMaxClimbed = 2000;  // entries looked at above one copy

bool is_for_a_breaking_version(const plan::Copy& copy) {
  return copy.fate == plan::Fate::handed_on && copy.blocker == plan::Blocker::major;
}

/// Dependents refuse what is safe: a new major of one of them may not.
bool is_held_by_dependents(const plan::Copy& copy) {
  return copy.fate == plan::Fate::blocked && copy.blocker == plan::Blocker::range;
}

bool asks_for(const repository::LoadedLock& lock, std::string_view package) {
  return std::any_of(lock.manifests.begin(), lock.manifests.end(),
                     [&](const npm::Manifest& one) { return one.find(package) != nullptr; });
}

/// Of the importers of the lock, the first that asks for the package.
std::string manifest_of(const repository::LoadedLock& lock, const std::string& package) {
  for (const npm::Manifest& manifest : lock.manifests) {
    if (manifest.find(package) != nullptr) return manifest.path;
  }
  return lock.manifests.empty() ? "package.json" : lock.manifests.front().path;
}

const npm::Node* node_at(const npm::Graph& graph, std::string_view location) {
  const auto found = std::find_if(graph.nodes().begin(), graph.nodes().end(),
                                  [&](const npm::Node& node) { return node.location == location; });
  return found == graph.nodes().end() ? nullptr : &*found;
}

std::vector<std::string> listed(const std::set<std::string>& words) {
  return {words.begin(), words.end()};
}

/// `locations` are those of `package`, which is what moves.
HandedOn handed_on(const Situation& situation, std::size_t number, const std::string& package,
                   const std::set<std::string>& locations,
                   const std::vector<const plan::Copy*>& copies) {
  const repository::LoadedLock& lock = situation.lock(number);
  HandedOn out;
  out.lock = number;
  out.package = package;
  out.manifest = manifest_of(lock, package);
  out.locations = listed(locations);
  std::set<std::string> versions;
  for (const std::string& location : locations) {
    const npm::Node* node = node_at(lock.graph, location);
    if (node != nullptr) versions.emplace(node->version);
  }
  out.versions = listed(versions);
  std::set<std::string> advisories;
  std::set<std::string> vulnerable;
  for (const plan::Copy* copy : copies) {
    advisories.insert(copy->advisory);
    vulnerable.insert(copy->package);
  }
  out.advisories = listed(advisories);
  if (!vulnerable.contains(package)) out.vulnerable = *vulnerable.begin();
  return out;
}

std::set<std::string> keys_of(const LockPlan& one, const std::vector<const plan::Copy*>& copies) {
  std::set<std::string> out;
  for (const plan::Copy* copy : copies) {
    out.insert(copy_key(one.plan.lockfile, copy->location, copy->advisory));
  }
  return out;
}

/// Copies of one package that the repository asks for itself.
Group direct_group(const Situation& situation, const LockPlan& one,
                   const std::vector<const plan::Copy*>& copies) {
  std::set<std::string> locations;
  for (const plan::Copy* copy : copies) locations.insert(copy->location);
  HandedOn out = handed_on(situation, one.lock, copies.front()->package, locations, copies);
  std::set<std::string> all;
  for (const std::string& location : out.locations) {
    for (const std::string& advisory : out.advisories) {
      all.insert(copy_key(one.plan.lockfile, location, advisory));
    }
  }
  return {group_id(keys_of(one, copies)), {}, std::move(all), std::move(out)};
}

/// Packages above the entry that the repository asks for itself, nearest first.
std::vector<std::string> ancestors_of(const repository::LoadedLock& lock,
                                      std::string_view location) {
  const npm::Graph& graph = lock.graph;
  std::vector<std::string> out;
  std::set<npm::NodeId> seen;
  std::deque<npm::NodeId> next;
  for (npm::NodeId id = 0; id < graph.nodes().size(); ++id) {
    if (graph.node(id).location == location) next.push_back(id);
  }
  while (!next.empty() && out.size() < kMaxAncestors && seen.size() < kMaxClimbed) {
    const npm::NodeId id = next.front();
    next.pop_front();
    for (const std::uint32_t edge : graph.edges_to(id)) {
      const npm::NodeId from = graph.edges()[edge].from;
      if (graph.node(from).source != npm::Source::registry || !seen.insert(from).second) continue;
      const std::string name(graph.node(from).name);
      if (!asks_for(lock, name)) {
        next.push_back(from);
      } else if (std::find(out.begin(), out.end(), name) == out.end()) {
        out.push_back(name);
      }
    }
  }
  return out;
}

/// Entries of the lock that the plan gives another version of `package`.
std::set<std::string> moved_entries(const npm::Graph& graph, const plan::Plan& plan,
                                    std::string_view package) {
  std::set<std::string> out;
  for (const edit::PutCopy& put : plan.lock.put) {
    const bool is_it = put.release->name == package;
    if (is_it && node_at(graph, put.location) != nullptr) out.insert(put.location);
  }
  return out;
}

bool crosses(const npm::Graph& graph, const plan::Plan& plan, std::string_view package) {
  return std::any_of(plan.lock.put.begin(), plan.lock.put.end(), [&](const edit::PutCopy& put) {
    const npm::Node* node = put.release->name == package ? node_at(graph, put.location) : nullptr;
    if (node == nullptr) return false;
    const auto from = semver::Version::parse(node->version, {.loose = true});
    const auto to = semver::Version::parse(put.release->version, {.loose = true});
    return from && to && semver::is_breaking(*from, *to);
  });
}

/// A breaking version of `package` frees the copies, and nothing else does it: the plan for that.
std::optional<LockPlan> freed_by(Situation& situation, const std::set<std::string>& copies,
                                 const std::string& package) {
  Leeway leeway;
  leeway.targets = {{package, "", plan::Strategy::direct_bump}};
  auto plans = make_plans(situation, wanted_of(situation.base.scanned, copies), leeway);
  if (plans.size() != 1 || !fixes_all(plans)) return std::nullopt;
  if (!crosses(situation.lock(plans.front().lock).graph, plans.front().plan, package)) {
    return std::nullopt;
  }
  return std::move(plans.front());
}

std::vector<const plan::Copy*> copies_of(const LockPlan& one) {
  std::vector<const plan::Copy*> out;
  for (const plan::Copy& copy : one.plan.copies) out.push_back(&copy);
  return out;
}

/// The package that the plan moves and the repository asks for: the vulnerable one if it is among
/// them. Empty: there is none, or it is not the only one.
std::string moved_by(const Situation& situation, const LockPlan& one) {
  const repository::LoadedLock& lock = situation.lock(one.lock);
  std::set<std::string> moved;
  for (const edit::PutCopy& put : one.plan.lock.put) {
    const std::string& name = put.release->name;
    if (asks_for(lock, name) && node_at(lock.graph, put.location) != nullptr) moved.insert(name);
  }
  std::set<std::string> vulnerable;
  for (const plan::Copy& copy : one.plan.copies) {
    if (moved.contains(copy.package)) vulnerable.insert(copy.package);
  }
  const std::set<std::string>& those = vulnerable.empty() ? moved : vulnerable;
  return those.size() == 1 ? *those.begin() : std::string();
}

/// A direct dependency, and the plan that frees copies by a breaking version of it.
struct Parent {
  std::string package;
  LockPlan plan;
};
std::optional<Parent> parent_for(Situation& situation, const LockPlan& one,
                                 const std::set<std::string>& copies) {
  const std::string& location = one.plan.copies.front().location;
  for (const std::string& package : ancestors_of(situation.lock(one.lock), location)) {
    if (auto plan = freed_by(situation, copies, package)) return Parent{package, *std::move(plan)};
  }
  return std::nullopt;
}

/// Groups of copies by the direct dependency whose breaking version frees them.
void add_parents(Situation& situation, const LockPlan& one, record::Events& events,
                 std::vector<Group>& out) {
  std::map<std::string, std::vector<const plan::Copy*>> by_parent;
  std::map<std::string, std::string> parent_of;  // by location; empty: none
  std::size_t planned = 0;
  for (const plan::Copy& copy : one.plan.copies) {
    if (!is_held_by_dependents(copy)) continue;
    auto known = parent_of.find(copy.location);
    if (known == parent_of.end()) {
      known = parent_of.emplace(copy.location, "").first;
      const std::set<std::string> key = {copy_key(one.plan.lockfile, copy.location, copy.advisory)};
      for (const std::string& package : ancestors_of(situation.lock(one.lock), copy.location)) {
        if (++planned > kMaxPlanned) break;
        if (!freed_by(situation, key, package)) continue;
        known->second = package;
        break;
      }
    }
    if (!known->second.empty()) by_parent[known->second].push_back(&copy);
  }
  for (const auto& [package, copies] : by_parent) {
    std::set<std::string> keys = keys_of(one, copies);
    const auto plan = freed_by(situation, keys, package);
    if (!plan) continue;
    for (const plan::Copy* copy : copies) {
      events.emplace_back(record::RecipeMissed{cut(copy->advisory, 60), cut(copy->location, 500),
                                               cut(copy->package, 210), cut(copy->reason, 500)});
    }
    const auto moved = moved_entries(situation.lock(one.lock).graph, plan->plan, package);
    std::string id = group_id(keys);
    out.push_back({std::move(id),
                   {},
                   std::move(keys),
                   handed_on(situation, one.lock, package, moved, copies)});
  }
}

}  // namespace

std::vector<Group> handed_on_groups(const Situation& situation, const std::vector<LockPlan>& plans,
                                    record::Events& events) {
  std::vector<Group> out;
  for (const LockPlan& one : plans) {
    std::map<std::string, std::vector<const plan::Copy*>> by_package;
    for (const plan::Copy& copy : one.plan.copies) {
      if (!is_for_a_breaking_version(copy)) continue;
      by_package[copy.package].push_back(&copy);
      events.emplace_back(record::RecipeMissed{cut(copy.advisory, 60), cut(copy.location, 500),
                                               cut(copy.package, 210), cut(copy.reason, 500)});
    }
    for (const auto& [package, copies] : by_package) {
      out.push_back(direct_group(situation, one, copies));
    }
  }
  return out;
}

std::vector<Group> parent_groups(Situation& situation, const std::vector<LockPlan>& plans,
                                 record::Events& events) {
  std::vector<Group> out;
  for (const LockPlan& one : plans) add_parents(situation, one, events, out);
  return out;
}

std::optional<Group> asked_after(Situation& situation, const Group& group, unsigned before) {
  const auto plans = make_plans(situation, wanted_of(situation.base.scanned, group.copies));
  if (plans.size() != 1 || !fixes_all(plans)) return std::nullopt;
  const LockPlan& one = plans.front();
  const npm::Graph& graph = situation.lock(one.lock).graph;
  Group out = group;
  const std::string package = moved_by(situation, one);
  if (!package.empty()) {
    out.handed_on = handed_on(situation, one.lock, package, moved_entries(graph, one.plan, package),
                              copies_of(one));
    out.handed_on->planned = true;
  } else {
    const auto parent = parent_for(situation, one, group.copies);
    if (!parent) return std::nullopt;
    out.handed_on =
        handed_on(situation, one.lock, parent->package,
                  moved_entries(graph, parent->plan.plan, parent->package), copies_of(one));
  }
  out.handed_on->before = before;
  return out;
}

Leeway rewrite_of(const Group& group) {
  Leeway out;
  if (!group.handed_on->planned) {
    out.targets = {{group.handed_on->package, "", plan::Strategy::callsite_rewrite}};
  }
  return out;
}

}  // namespace cg::propose
