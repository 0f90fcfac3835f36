#include "base/yaml/keys.h"

#include <algorithm>
#include <cstring>

namespace cg::yaml {

namespace {

constexpr std::size_t kFewKeys = 12;

/// Good enough for honest keys; hostile ones that collide are told apart by sorting.
std::uint64_t hash_of(std::string_view text) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
  std::uint64_t head = 0;
  std::uint64_t tail = 0;
  const std::size_t count = std::min<std::size_t>(text.size(), 8);
  std::memcpy(&head, text.data(), count);
  std::memcpy(&tail, text.data() + text.size() - count, count);
  const std::uint64_t mixed = (head ^ (text.size() * kOdd)) * kOdd;
  return (mixed ^ (mixed >> 29U) ^ tail) * kOdd;
}

}  // namespace

std::string_view YamlKeys::text_of(const Key& key) const {
  return (key.copied != 0 ? std::string_view(copies_) : source_).substr(key.text, key.length);
}

void YamlKeys::add(const YamlScalar& key) {
  Key entry{};
  entry.hash = hash_of(key.text);
  entry.at = static_cast<std::uint32_t>(key.begin);
  entry.length = static_cast<std::uint32_t>(key.text.size()) & 0x7FFFFFFFU;
  entry.copied = key.in_source ? 0 : 1;
  if (key.in_source) {
    entry.text = static_cast<std::uint32_t>(key.text.data() - source_.data());
  } else {
    entry.text = static_cast<std::uint32_t>(copies_.size());
    copies_ += key.text;
  }
  keys_.push_back(entry);
}

void YamlKeys::drop(const Mark& mark) {
  keys_.resize(mark.keys);
  copies_.resize(mark.copies);
}

std::optional<YamlKeys::Twice> YamlKeys::find_twice(const Mark& mark) {
  const auto begin = keys_.begin() + static_cast<std::ptrdiff_t>(mark.keys);
  const auto same = [&](const Key& a, const Key& b) {
    return a.hash == b.hash && text_of(a) == text_of(b);
  };
  auto found = begin;
  if (keys_.size() - mark.keys <= kFewKeys) {
    const auto is_second = [&](const Key& key) {
      return std::any_of(begin, begin + (&key - &*begin),
                         [&](const Key& other) { return same(key, other); });
    };
    found = std::find_if(begin, keys_.end(), is_second);
  } else {
    std::sort(begin, keys_.end(), [&](const Key& a, const Key& b) {
      if (a.hash != b.hash) return a.hash < b.hash;
      const int order = text_of(a).compare(text_of(b));
      return order != 0 ? order < 0 : a.at < b.at;
    });
    found = std::adjacent_find(begin, keys_.end(), same);
    if (found != keys_.end()) ++found;
  }
  if (found == keys_.end()) return std::nullopt;
  return Twice{found->at, text_of(*found)};
}

}  // namespace cg::yaml
