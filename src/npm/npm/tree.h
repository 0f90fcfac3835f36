// Tree: who gets which copy, in a folder tree as npm lays it out.
//
// A dependency is looked for beneath the folder that asks, then beneath the folder
// that holds that one, and so on upwards, as node does.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "npm/npm/graph.h"

namespace cg::npm {

/// Numbers found again by what they stand for. The caller compares, so two different
/// things may share a fingerprint.
class Slots {
 public:
  explicit Slots(std::size_t expected);
  void put(std::uint64_t print, std::uint32_t id);
  /// The first id under `print` that `is` accepts; kNoNode if there is none.
  template <class Is>
  [[nodiscard]] std::uint32_t find(std::uint64_t print, const Is& is) const {
    for (std::size_t at = print & mask_; slots_[at].id != kNoNode; at = (at + 1) & mask_) {
      if (slots_[at].print == print && is(slots_[at].id)) return slots_[at].id;
    }
    return kNoNode;
  }

 private:
  struct Slot {
    std::uint64_t print = 0;
    std::uint32_t id = kNoNode;
  };
  void grow();

  std::vector<Slot> slots_;
  std::size_t mask_;
  std::size_t used_ = 0;
};

class Tree {
 public:
  /// `seed` is that of json::fingerprint() for all names and locations.
  Tree(GraphBuilder& builder, std::uint64_t seed, std::size_t expected);

  /// Adds the copy at `node.location`. False if there is one already.
  [[nodiscard]] bool add(const Node& node, NodeId& id);
  /// `from` must have been added.
  void ask(const Edge& edge) { builder_.add(edge); }

  /// Finds the holder of every copy, the target of every link (by its `resolved`), and
  /// what every edge gets. Adds an edge from each link to its target.
  void resolve();

 private:
  struct Place {
    NodeId holder = kNoNode;  // the copy whose folder this one lies in
    std::string_view folder;  // its own last part, below node_modules; else empty
    std::uint64_t print = 0;  // of `folder`
  };

  [[nodiscard]] NodeId at(std::string_view location) const;
  [[nodiscard]] NodeId holder_of(std::string_view location, std::size_t modules) const;
  [[nodiscard]] NodeId seek(NodeId from, std::string_view name, std::uint64_t print) const;
  void place_all();
  void follow_links();

  GraphBuilder& builder_;
  std::uint64_t seed_;
  NodeId root_ = kNoNode;
  Slots by_location_;
  Slots by_holder_;
  std::vector<Place> places_;
};

/// "b" of "node_modules/a/node_modules/b", "@s/b" of "x/node_modules/@s/b"; empty for a
/// location that does not end below node_modules.
[[nodiscard]] std::string_view folder_name(std::string_view location);

}  // namespace cg::npm
