#include "fix/plan/flat.h"

#include <algorithm>
#include <set>

#include "fix/plan/flat_fixing.h"

namespace cg::plan {

namespace {

using npm::NodeId;

constexpr int kMaxFlatPasses = 6;

/// From the importers outwards: what a fixed dependent drops needs no fix of its own.
std::vector<NodeId> by_distance(const npm::Graph& graph) {
  std::vector<NodeId> order;
  std::vector<bool> seen(graph.nodes().size(), false);
  const auto take = [&](NodeId id) {
    if (id == npm::kNoNode || seen[id]) return;
    seen[id] = true;
    order.push_back(id);
  };
  for (const NodeId id : graph.importers()) take(id);
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const npm::Edge& edge : graph.edges_of(order[i])) take(edge.to);
  }
  for (NodeId id = 0; id < graph.nodes().size(); ++id) take(id);
  return order;
}

Copy fate_of(const Input& input, const findings::Hit& hit, FlatFixing& fixing) {
  const npm::Node& node = input.graph.node(hit.node);
  const edit::FlatTree& tree = fixing.tree();
  Copy out;
  out.advisory = hit.advisory;
  out.package = node.name;
  out.location = node.location;
  out.from = node.version;
  out.level = hit.level;
  const Attempt& attempt = fixing.attempt(hit.node);
  out.considered = attempt.considered;
  out.fix = fixing.fix_of(hit.node);
  if (out.fix > 0 && !fixing.is_vulnerable(hit.node)) {
    const Fix& fix = fixing.fixes()[out.fix - 1];
    out.fate = Fate::fixed;
    out.strategy = fix.strategy;
    out.reason = fix.why;
    const NodeId now = tree.stands_for(hit.node);
    if (!tree.gone(now)) out.to = tree.version(now);
    return out;
  }
  out.fix = 0;
  if (hit.malware) {
    out.fate = Fate::handed_on;
    out.blocker = Blocker::malware;
    out.reason = "malware: no version of it is to be trusted, it has to be removed";
    return out;
  }
  out.fate = attempt.fate;
  out.blocker = attempt.blocker;
  out.reason = attempt.reason;
  return out;
}

void write_manifests(const Input& input, Plan& plan) {
  const std::string root =
      input.manifests.empty() ? std::string() : std::string(input.manifests.front().folder());
  for (const edit::Ask& ask : plan.lock.asks) {
    std::string path = root;
    if (!ask.importer.empty()) path += (path.empty() ? "" : "/") + ask.importer;
    path += (path.empty() ? "" : "/") + std::string("package.json");
    const auto known =
        std::find_if(plan.manifests.begin(), plan.manifests.end(),
                     [&](const edit::ManifestEdit& edit) { return edit.path == path; });
    edit::ManifestEdit& edit = known != plan.manifests.end()
                                   ? *known
                                   : plan.manifests.emplace_back(edit::ManifestEdit{path, {}, {}});
    edit.asks.push_back(ask);
  }
}

/// What nobody asks for any more is removed, whatever was put there before.
void write_lock(const FlatFixing& fixing, Plan& plan) {
  plan.lock = fixing.edit();
  const std::set<std::string> removed(plan.lock.removed.begin(), plan.lock.removed.end());
  auto& put = plan.lock.put;
  put.erase(
      std::remove_if(put.begin(), put.end(),
                     [&](const edit::PutCopy& copy) { return removed.contains(copy.location); }),
      put.end());
}

}  // namespace

Plan plan_flat(const Input& input) {
  FlatFixing fixing(input);
  std::set<NodeId> wanted;
  std::set<NodeId> malware;
  for (const findings::Hit& hit : input.hits) (hit.malware ? malware : wanted).insert(hit.node);
  const std::vector<NodeId> order = by_distance(input.graph);
  bool changed = true;
  for (int pass = 0; changed && pass < kMaxFlatPasses; ++pass) {
    changed = false;
    for (const NodeId id : order) {
      if (!wanted.contains(id) || malware.contains(id)) continue;
      if (fixing.tree().gone(id) || !fixing.is_vulnerable(id)) continue;
      changed = fixing.fix(id) || changed;
    }
  }
  Plan plan;
  plan.lockfile = input.lockfile;
  for (const findings::Hit& hit : input.hits) {
    plan.copies.push_back(fate_of(input, hit, fixing));
    if (changed) say_passes(kMaxFlatPasses, plan.copies.back());
  }
  plan.fixes = fixing.fixes();
  write_lock(fixing, plan);
  write_manifests(input, plan);
  return plan;
}

}  // namespace cg::plan
