// Regular expressions as nodes, for tables of starts (starts.h).
//
// Of no two nodes are alike: what is written twice is one. Understands what patterns.def uses of
// RE2's syntax: literals, classes, groups, alternatives and repetition.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cg::canary {

/// Classes of bytes: letters each for itself; digits; all that can stand between words; the rest.
inline constexpr std::uint8_t kGapClass = 0;
inline constexpr std::uint8_t kDigitClass = 27;
inline constexpr std::uint8_t kOtherClass = 28;
inline constexpr std::size_t kClasses = 29;
inline constexpr std::array<std::uint8_t, 256> kByteClasses = [] {
  std::array<std::uint8_t, 256> out{};
  for (unsigned i = 0; i < 256; ++i) {
    if (i >= 'a' && i <= 'z') {
      out[i] = static_cast<std::uint8_t>(i - 'a' + 1);
    } else if (i >= '0' && i <= '9') {
      out[i] = kDigitClass;
    } else {
      out[i] = i >= 0x80 ? kOtherClass : kGapClass;
    }
  }
  return out;
}();
constexpr std::uint8_t class_of(char c) { return kByteClasses[static_cast<unsigned char>(c)]; }
using Mask = std::uint32_t;  // of classes

constexpr std::size_t mixed(std::size_t hash, std::size_t value) {
  const std::size_t out = (hash ^ value) * 0x9E3779B97F4A7C15U;
  return out ^ out >> 32U;
}

using Node = std::uint32_t;
class Nodes {
 public:
  enum class Op : std::uint8_t { bytes, sequence, either, any_number };
  struct Content {
    Op op;
    Mask mask;
    std::vector<Node> parts;
    friend bool operator==(const Content&, const Content&) = default;
  };
  [[nodiscard]] const Content& operator[](Node node) const { return *content_[node]; }

  [[nodiscard]] Node bytes(Mask mask) { return made({Op::bytes, mask, {}}); }
  [[nodiscard]] Node sequence(const std::vector<Node>& parts);
  [[nodiscard]] Node any_number(Node part) { return made({Op::any_number, 0, {part}}); }
  /// Alternatives that begin alike share their beginning.
  [[nodiscard]] Node either(const std::vector<Node>& parts);

 private:
  struct Hash {
    std::size_t operator()(const Content& content) const {
      std::size_t out = mixed(static_cast<std::size_t>(content.op), content.mask);
      for (const Node part : content.parts) out = mixed(out, part);
      return out;
    }
  };
  /// What is left of a sequence.
  using Tail = std::span<const Node>;
  [[nodiscard]] Tail parts_of(const Node& node) const;
  [[nodiscard]] Node shared(std::vector<Tail>& tails);
  [[nodiscard]] Node made(Content content);

  std::unordered_map<Content, Node, Hash> ids_;
  std::vector<const Content*> content_;
};

/// Groups that were read before, by their text: patterns share long lists of words.
using Groups = std::unordered_map<std::string_view, Node>;

/// All of `regex`, which must outlive `groups`.
[[nodiscard]] Node read_regex(std::string_view regex, Nodes& nodes, Groups& groups);

}  // namespace cg::canary
