#include "npm/edit/flat_tree.h"

#include <algorithm>

#include "base/base/text.h"
#include "npm/npm/spec.h"

namespace cg::edit {

using npm::EdgeKind;
using npm::kNoNode;
using npm::LockKind;
using npm::NodeId;

namespace {

constexpr std::string_view kNpm = "npm:";
constexpr std::string_view kWorkspace = "@workspace:";

EditError error(EditError::Kind kind, std::string_view what) { return {kind, printable(what)}; }

std::optional<semver::Version> read_version(std::string_view text) {
  auto version = semver::Version::parse(text, {.loose = true});
  if (!version) return std::nullopt;
  return *std::move(version);
}

bool is_importer(const npm::Node& node) { return npm::is_importer(node.source); }

/// Peers do not stand in the key: only such a one can be written anew.
bool is_plain(const npm::Node& node, LockKind kind) {
  if (node.source != npm::Source::registry) return false;
  if (kind != LockKind::pnpm) return node.resolved.find("@patch:") == std::string_view::npos;
  return node.location.ends_with(node.version);
}

}  // namespace

std::string quoted(std::string_view text) { return "`" + std::string(text) + "`"; }

EditError unsupported(const std::string& what) {
  return {EditError::Kind::unsupported, printable(what)};
}

bool Demand::takes(std::string_view version) const {
  if (kind == Kind::any) return true;
  if (kind == Kind::other) return false;
  const std::optional<semver::Version> read = read_version(version);
  return read && range->test(*read);
}

Demand read_demand(std::string_view name, std::string_view range) {
  Demand out;
  out.package = name;
  if (range.starts_with(kNpm)) {
    range.remove_prefix(kNpm.size());
    const std::size_t at = range.empty() ? std::string_view::npos : range.find('@', 1);
    if (at != std::string_view::npos) {
      out.package = range.substr(0, at);
      range.remove_prefix(at + 1);
    }
  }
  if (range.starts_with("catalog:")) return out;
  const npm::Spec spec = npm::parse_spec(range);
  if (spec.kind == npm::Spec::Kind::tag) out.kind = Demand::Kind::any;
  if (spec.kind != npm::Spec::Kind::range) return out;
  auto parsed = semver::Range::parse(spec.rest, {.loose = true});
  if (!parsed) return out;
  out.kind = Demand::Kind::range;
  out.range = *std::move(parsed);
  return out;
}

std::vector<std::string_view> split_descriptors(std::string_view key) {
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t comma = std::min(key.find(", "), key.size());
    out.push_back(trim(key.substr(0, comma)));
    if (comma == key.size()) return out;
    key.remove_prefix(comma + 2);
  }
}

FlatIndex::FlatIndex(const npm::Graph& graph) : graph_(graph) {
  for (NodeId id = 0; id < graph.nodes().size(); ++id) {
    const npm::Node& node = graph.node(id);
    locations_.emplace(node.location, id);
    if (is_importer(node)) continue;
    by_name_[node.name].push_back(id);
    if (!yarn()) continue;
    for (const std::string_view descriptor : split_descriptors(node.location)) {
      descriptors_.emplace(descriptor, id);
    }
  }
}

const std::vector<NodeId>& FlatIndex::entries(std::string_view package) const {
  static const std::vector<NodeId> kNoEntries;
  const auto found = by_name_.find(package);
  return found == by_name_.end() ? kNoEntries : found->second;
}

NodeId FlatIndex::at(std::string_view location) const {
  const auto found = locations_.find(location);
  return found == locations_.end() ? kNoNode : found->second;
}

std::string_view FlatIndex::folder(NodeId importer) const {
  const npm::Node& node = graph_.node(importer);
  std::string_view out = node.location;
  if (graph_.kind() == LockKind::yarn_berry) {
    const std::size_t at = node.resolved.find(kWorkspace);
    out = at == std::string_view::npos ? "" : node.resolved.substr(at + kWorkspace.size());
  }
  return out == "." ? std::string_view() : out;
}

NodeId FlatIndex::importer(std::string_view wanted) const {
  const auto& all = graph_.importers();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](NodeId id) { return folder(id) == wanted; });
  return found == all.end() ? kNoNode : *found;
}

std::string FlatIndex::descriptor(std::string_view name, std::string_view range) const {
  if (!yarn()) return {};
  std::string out(name);
  const bool bare =
      graph_.kind() == LockKind::yarn_berry && range.find(':') == std::string_view::npos;
  out += bare ? "@npm:" : "@";
  out += range;
  return out;
}

NodeId FlatIndex::described(std::string_view descriptor) const {
  const auto found = descriptors_.find(descriptor);
  return found == descriptors_.end() ? kNoNode : found->second;
}

std::string_view FlatTree::version(NodeId id) const {
  const registry::Release* release = put(id);
  return release == nullptr ? node(id).version : std::string_view(release->version);
}

const registry::Release* FlatTree::put(NodeId id) const {
  const auto found = put_.find(id);
  return found == put_.end() ? nullptr : found->second;
}

NodeId FlatTree::stands_for(NodeId id) const {
  const auto found = joined_.find(id);
  return found == joined_.end() ? id : found->second;
}

bool FlatTree::gone(NodeId id) const {
  return joined_.count(id) > 0 || std::binary_search(orphans_.begin(), orphans_.end(), id);
}

/// A rule of the root manifest gave another entry than the one whose key has the range.
bool FlatTree::ruled(const npm::Edge& edge) const {
  if (edge.to == kNoNode || !index_.yarn() || is_importer(node(edge.to))) return false;
  return index_.described(index_.descriptor(edge.name, edge.range)) != edge.to;
}

FlatEdge FlatTree::as_read(const npm::Edge& edge) const {
  const NodeId to = edge.to == kNoNode ? kNoNode : stands_for(edge.to);
  return {edge.from, to, edge.name, edge.range, edge.kind, false, ruled(edge)};
}

std::vector<FlatEdge> FlatTree::edges_of(NodeId id) const {
  const auto renewed = renewed_.find(id);
  if (renewed != renewed_.end()) return renewed->second;
  std::vector<FlatEdge> out;
  for (const npm::Edge& edge : index_.graph().edges_of(id)) out.push_back(as_read(edge));
  return out;
}

std::vector<FlatEdge> FlatTree::users(NodeId id) const {
  std::vector<FlatEdge> out;
  const auto lead_here = [&](NodeId to) {
    for (const std::uint32_t at : index_.graph().edges_to(to)) {
      const npm::Edge& edge = index_.graph().edges()[at];
      if (!gone(edge.from) && renewed_.count(edge.from) == 0) out.push_back(as_read(edge));
    }
  };
  lead_here(id);
  for (const auto& [from, to] : joined_) {
    if (to == id) lead_here(from);
  }
  for (const auto& [from, edges] : renewed_) {
    if (gone(from)) continue;
    for (const FlatEdge& edge : edges) {
      if (edge.to == id) out.push_back(edge);
    }
  }
  return out;
}

std::vector<FlatEdge> FlatTree::dropped() const {
  std::vector<FlatEdge> out;
  const auto drop = [&](NodeId id) {
    const std::vector<FlatEdge> kept = gone(id) ? std::vector<FlatEdge>() : edges_of(id);
    for (const npm::Edge& edge : index_.graph().edges_of(id)) {
      const bool stays = std::any_of(kept.begin(), kept.end(), [&](const FlatEdge& other) {
        return other.name == edge.name && other.range == edge.range;
      });
      if (!stays) out.push_back(as_read(edge));
    }
  };
  for (const auto& [id, edges] : renewed_) {
    if (!gone(id)) drop(id);
  }
  for (const auto& [id, to] : joined_) drop(id);
  for (const NodeId id : orphans_) drop(id);
  return out;
}

std::vector<FlatEdge> FlatTree::fresh() const {
  std::vector<FlatEdge> out;
  for (const auto& [id, edges] : renewed_) {
    if (gone(id)) continue;
    std::copy_if(edges.begin(), edges.end(), std::back_inserter(out),
                 [](const FlatEdge& edge) { return edge.fresh; });
  }
  return out;
}

/// Versions first, so that what asks finds the lock as it will be.
Result<Done, EditError> FlatTree::apply(const LockEdit& edit) {
  for (const PutCopy& put : edit.put) CG_TRY(place(put));
  join();
  for (const auto& [id, release] : put_) {
    if (joined_.count(id) == 0) CG_TRY(renew(id, *release));
  }
  for (const Ask& ask : edit.asks) CG_TRY(renew(ask));
  for (auto& [id, edges] : renewed_) {
    for (FlatEdge& edge : edges) {
      if (!edge.fresh || npm::is_peer(edge.kind)) continue;
      CG_TRY_ASSIGN(edge.to, find(edge));
      edge.ruled = edge.to != kNoNode && ruled_target(edge).has_value();
    }
  }
  sweep();
  return Done{};
}

Result<Done, EditError> FlatTree::place(const PutCopy& put) {
  const NodeId id = index_.at(put.location);
  if (id == kNoNode || put.release == nullptr) {
    return fail(error(EditError::Kind::not_found, "no entry " + quoted(put.location)));
  }
  const npm::Node& node = index_.graph().node(id);
  if (node.name != put.release->name) {
    return fail(error(EditError::Kind::shape,
                      quoted(put.location) + " is no " + quoted(put.release->name)));
  }
  if (!is_plain(node, index_.graph().kind())) {
    return fail(error(EditError::Kind::unsupported,
                      quoted(put.location) + (node.source == npm::Source::registry
                                                  ? " is bound to peers or a patch"
                                                  : " is not the registry's")));
  }
  put_[id] = put.release;
  return Done{};
}

/// An entry that was not put is joined rather than one that was; else the first.
void FlatTree::join() {
  for (const auto& [id, release] : put_) {
    for (const NodeId other : index_.entries(release->name)) {
      const bool first = put_.count(other) == 0 || other < id;
      if (other == id || !first || joined_.count(other) > 0) continue;
      const bool same = version(other) == release->version && node(other).alias == node(id).alias &&
                        is_plain(node(other), index_.graph().kind());
      if (!same) continue;
      joined_[id] = other;
      break;
    }
  }
}

/// What the release needs; requests that were there before keep their entry.
Result<Done, EditError> FlatTree::renew(NodeId id, const registry::Release& release) {
  std::vector<FlatEdge> edges;
  const auto before = index_.graph().edges_of(id);
  if (!release.bundled.empty()) {
    return fail(error(EditError::Kind::unsupported, quoted(release.name + " " + release.version) +
                                                        " bundles packages of its own"));
  }
  for (const registry::Need& need : release.needs) {
    FlatEdge edge{id, kNoNode, need.name, need.range, need.kind, true, false};
    const auto same = std::find_if(before.begin(), before.end(), [&](const npm::Edge& old) {
      return index_.yarn() && old.name == edge.name && old.kind == edge.kind &&
             index_.descriptor(old.name, old.range) == index_.descriptor(edge.name, edge.range);
    });
    if (same != before.end()) {
      edge = as_read(*same);
    }
    edges.push_back(edge);
  }
  renewed_[id] = std::move(edges);
  return Done{};
}

Result<Done, EditError> FlatTree::renew(const Ask& ask) {
  const NodeId id = index_.importer(ask.importer);
  if (id == kNoNode) {
    return fail(error(EditError::Kind::not_found, "no importer " + quoted(ask.importer)));
  }
  std::vector<FlatEdge> edges = edges_of(id);
  bool found = false;
  for (FlatEdge& edge : edges) {
    if (edge.name != ask.name || npm::is_peer(edge.kind)) continue;
    edge.range = ask.to;
    edge.fresh = true;
    found = true;
  }
  if (!found) {
    return fail(error(EditError::Kind::not_found,
                      quoted(ask.importer) + " does not ask for " + quoted(ask.name)));
  }
  renewed_[id] = std::move(edges);
  return Done{};
}

/// Where the entry had a request for the same name that a rule decided, the rule will
/// decide again.
std::optional<NodeId> FlatTree::ruled_target(const FlatEdge& edge) const {
  for (const npm::Edge& old : index_.graph().edges_of(edge.from)) {
    if (old.name == edge.name && ruled(old)) return stands_for(old.to);
  }
  return std::nullopt;
}

/// Of pnpm: the entry that was used before and is bound to peers. Who asks is the same, so
/// its peers are.
NodeId FlatTree::bound_target(const FlatEdge& edge, const Demand& demand) const {
  if (index_.yarn()) return kNoNode;
  for (const npm::Edge& old : index_.graph().edges_of(edge.from)) {
    if (old.name != edge.name || old.to == kNoNode) continue;
    if (node(old.to).name != demand.package || is_plain(node(old.to), LockKind::pnpm)) continue;
    if (demand.takes(version(old.to))) return old.to;
  }
  return kNoNode;
}

/// The entry whose key has the range, else the highest that fits.
Result<NodeId, EditError> FlatTree::find(const FlatEdge& edge) const {
  if (const std::optional<NodeId> target = ruled_target(edge)) return *target;
  const Demand demand = read_demand(edge.name, edge.range);
  const std::string asked = quoted(std::string(edge.name) + "@" + std::string(edge.range));
  if (demand.kind == Demand::Kind::other) {
    return fail(error(EditError::Kind::unsupported, asked + " is no range of versions"));
  }
  const NodeId described = index_.described(index_.descriptor(edge.name, edge.range));
  if (described != kNoNode && demand.takes(version(stands_for(described)))) {
    return stands_for(described);
  }
  if (const NodeId kept = bound_target(edge, demand); kept != kNoNode) return kept;
  NodeId best = kNoNode;
  std::optional<semver::Version> highest;
  for (const NodeId id : index_.entries(demand.package)) {
    const bool fits = joined_.count(id) == 0 && is_plain(node(id), index_.graph().kind()) &&
                      demand.takes(version(id)) && described != id;
    const std::optional<semver::Version> read = fits ? read_version(version(id)) : std::nullopt;
    if (!read || (highest && *read <= *highest)) continue;
    best = id;
    highest = read;
  }
  if (best != kNoNode && described == kNoNode) return best;
  return fail(error(EditError::Kind::unsupported, "the lock has no entry for " + asked));
}

/// Only what the edit cut loose: what nobody asked for before is not ours to remove.
void FlatTree::sweep() {
  std::vector<NodeId> loose;
  const auto cut = [&](NodeId id) {
    for (const npm::Edge& edge : index_.graph().edges_of(id)) {
      if (edge.to != kNoNode) loose.push_back(stands_for(edge.to));
    }
  };
  for (const auto& [id, edges] : renewed_) cut(id);
  for (const auto& [id, to] : joined_) cut(id);
  while (!loose.empty()) {
    const NodeId id = loose.back();
    loose.pop_back();
    if (gone(id) || is_importer(node(id)) || !users(id).empty()) continue;
    orphans_.insert(std::lower_bound(orphans_.begin(), orphans_.end(), id), id);
    cut(id);
    const auto renewed = renewed_.find(id);
    if (renewed == renewed_.end()) continue;
    for (const FlatEdge& edge : renewed->second) {
      if (edge.to != kNoNode) loose.push_back(edge.to);
    }
  }
}

}  // namespace cg::edit
