#include "npm/npm/tree.h"

#include <bit>

#include "base/json/json_reader.h"

namespace cg::npm {

namespace {

constexpr std::string_view kModules = "node_modules/";
constexpr std::uint64_t kSpread = 0x9E3779B97F4A7C15ULL;

/// Where the last "node_modules/" starts that is a whole part of the path.
std::size_t last_modules(std::string_view location) {
  for (std::size_t at = location.rfind(kModules); at != std::string_view::npos;
       at = location.rfind(kModules, at - 1)) {
    if (at == 0 || location[at - 1] == '/') return at;
  }
  return std::string_view::npos;
}

std::uint64_t child_print(NodeId holder, std::uint64_t name_print) {
  const std::uint64_t spread = (name_print ^ holder) * kSpread;
  return spread ^ spread >> 32U;
}

}  // namespace

std::string_view folder_name(std::string_view location) {
  const std::size_t at = last_modules(location);
  return at == std::string_view::npos ? std::string_view() : location.substr(at + kModules.size());
}

Slots::Slots(std::size_t expected)
    : slots_(std::bit_ceil(expected * 2 + 2)), mask_(slots_.size() - 1) {}

void Slots::put(std::uint64_t print, std::uint32_t id) {
  if (++used_ * 2 > slots_.size()) grow();
  std::size_t at = print & mask_;
  while (slots_[at].id != kNoNode) at = (at + 1) & mask_;
  slots_[at] = {print, id};
}

void Slots::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  mask_ = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.id == kNoNode) continue;
    std::size_t at = slot.print & mask_;
    while (slots_[at].id != kNoNode) at = (at + 1) & mask_;
    slots_[at] = slot;
  }
}

Tree::Tree(GraphBuilder& builder, std::uint64_t seed, std::size_t expected)
    : builder_(builder), seed_(seed), by_location_(expected), by_holder_(expected) {}

NodeId Tree::at(std::string_view location) const {
  return by_location_.find(json::fingerprint(location, seed_),
                           [&](NodeId id) { return builder_.node(id).location == location; });
}

bool Tree::add(const Node& node, NodeId& id) {
  if (at(node.location) != kNoNode) return false;
  id = builder_.add(node);
  by_location_.put(json::fingerprint(node.location, seed_), id);
  return true;
}

NodeId Tree::holder_of(std::string_view location, std::size_t modules) const {
  if (modules == 0) return root_;
  if (modules != std::string_view::npos) return at(location.substr(0, modules - 1));
  // A folder of the repository: the nearest one above it that is a package.
  const bool outside = location.starts_with("..");
  while (!location.empty()) {
    const std::size_t slash = location.rfind('/');
    location = location.substr(0, slash == std::string_view::npos ? 0 : slash);
    if (location.empty() && outside) return kNoNode;
    if (const NodeId holder = at(location); holder != kNoNode) return holder;
  }
  return kNoNode;
}

void Tree::place_all() {
  places_.resize(builder_.size());
  root_ = at("");
  for (NodeId id = 0; id < builder_.size(); ++id) {
    const std::string_view location = builder_.node(id).location;
    Place& place = places_[id];
    if (location.empty()) continue;
    const std::size_t modules = last_modules(location);
    place.holder = holder_of(location, modules);
    if (modules == std::string_view::npos) continue;
    place.folder = location.substr(modules + kModules.size());
    place.print = json::fingerprint(place.folder, seed_);
    if (!place.folder.empty() && place.holder != kNoNode) {
      by_holder_.put(child_print(place.holder, place.print), id);
    }
  }
}

NodeId Tree::seek(NodeId from, std::string_view name, std::uint64_t print) const {
  // A holder has a shorter location than what it holds, so this ends.
  for (NodeId holder = from; holder != kNoNode; holder = places_[holder].holder) {
    const NodeId found = by_holder_.find(child_print(holder, print), [&](NodeId id) {
      return places_[id].holder == holder && places_[id].folder == name;
    });
    if (found != kNoNode) return found;
  }
  return kNoNode;
}

void Tree::follow_links() {
  for (NodeId id = 0; id < builder_.size(); ++id) {
    Node& link = builder_.node(id);
    if (link.source != Source::link) continue;
    link.target = at(link.resolved);
    if (link.target == kNoNode || link.target == id) {
      link.target = kNoNode;
      continue;
    }
    if (link.name.empty()) link.name = builder_.node(link.target).name;
    builder_.add(Edge{id, link.target, places_[id].folder, link.resolved, EdgeKind::prod});
  }
}

void Tree::resolve() {
  place_all();
  for (Edge& edge : builder_.edges()) {
    edge.to = seek(edge.from, edge.name, json::fingerprint(edge.name, seed_));
  }
  follow_links();
}

}  // namespace cg::npm
