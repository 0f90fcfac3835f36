// KeyIndex: which node a key of the lock stands for.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "npm/npm/graph.h"
#include "npm/npm/tree.h"

namespace cg::npm {

/// A hash table whose order differs from run to run, so that nobody can prepare keys
/// that make it slow. The keys are not copied.
class KeyIndex {
 public:
  explicit KeyIndex(std::size_t expected);

  /// False, and nothing is changed, if the key is there already.
  bool add(std::string_view key, NodeId node);
  /// kNoNode if there is none.
  [[nodiscard]] NodeId find(std::string_view key) const;

 private:
  struct Entry {
    std::string_view key;
    NodeId node;
  };
  [[nodiscard]] std::uint32_t slot_of(std::string_view key, std::uint64_t print) const;

  std::vector<Entry> entries_;
  std::uint64_t seed_;
  Slots slots_;
};

}  // namespace cg::npm
