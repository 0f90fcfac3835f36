#include "npm/npm/key_index.h"

#include "base/json/json_reader.h"

namespace cg::npm {

KeyIndex::KeyIndex(std::size_t expected) : slots_(expected) {
  entries_.reserve(expected + 1);
  seed_ = reinterpret_cast<std::uintptr_t>(entries_.data());
}

std::uint32_t KeyIndex::slot_of(std::string_view key, std::uint64_t print) const {
  return slots_.find(print, [&](std::uint32_t slot) { return entries_[slot].key == key; });
}

bool KeyIndex::add(std::string_view key, NodeId node) {
  const std::uint64_t print = json::fingerprint(key, seed_);
  if (slot_of(key, print) != kNoNode) return false;
  slots_.put(print, static_cast<std::uint32_t>(entries_.size()));
  entries_.push_back({key, node});
  return true;
}

NodeId KeyIndex::find(std::string_view key) const {
  const std::uint32_t slot = slot_of(key, json::fingerprint(key, seed_));
  return slot == kNoNode ? kNoNode : entries_[slot].node;
}

}  // namespace cg::npm
