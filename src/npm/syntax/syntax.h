// Syntax: a file as the flat list of its syntax nodes, in the order of the text.
//
// No walk over it recurses: a node knows its parent and where its subtree ends.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "npm/syntax/language.h"

namespace cg::syntax {

/// The kinds that matter here; the words are those of the grammars (kinds.def).
enum class Kind : std::uint8_t {
  other,
  error,
#define CG_KIND(name) name,
#define CG_FIELD(name, word)
#include "npm/syntax/kinds.def"
#undef CG_KIND
#undef CG_FIELD
};

/// What a node is to its parent.
enum class Field : std::uint8_t {
  none,
#define CG_KIND(name)
#define CG_FIELD(name, word) name,
#include "npm/syntax/kinds.def"
#undef CG_KIND
#undef CG_FIELD
};

using Index = std::uint32_t;
inline constexpr Index kNone = 0xFFFFFFFFU;

struct Node {
  std::uint32_t begin = 0;  // bytes of the file
  std::uint32_t end = 0;
  Index parent = kNone;
  Index after = 0;  // the first node that is not beneath this one
  Kind kind = Kind::other;
  Field field = Field::none;
};

inline constexpr std::size_t kMaxDepth = 4096;
inline constexpr std::size_t kMaxNodes = 2U << 20U;

class Syntax {
 public:
  [[nodiscard]] static Result<Syntax, Error> parse(std::string_view text, Language language);

  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  [[nodiscard]] const Node& at(Index index) const { return nodes_[index]; }
  [[nodiscard]] std::string_view text_of(Index index) const {
    return text_.substr(nodes_[index].begin, nodes_[index].end - nodes_[index].begin);
  }
  [[nodiscard]] Kind parent_kind(Index index) const {
    const Index parent = nodes_[index].parent;
    return parent == kNone ? Kind::other : nodes_[parent].kind;
  }
  /// kNone if there is none.
  [[nodiscard]] Index child(Index index, Field field) const;
  [[nodiscard]] Index first_child(Index index) const {
    return index + 1 < nodes_[index].after ? index + 1 : kNone;
  }
  [[nodiscard]] Index next_sibling(Index index) const;
  [[nodiscard]] bool is_beneath(Index index, Index ancestor) const;
  /// What a string, or a template with nothing put into it, says: escapes undone. Nothing for
  /// other nodes.
  [[nodiscard]] std::optional<std::string> constant(Index index) const;
  [[nodiscard]] bool broken() const { return broken_; }
  [[nodiscard]] std::string_view text() const { return text_; }

 private:
  explicit Syntax(std::string_view text) : text_(text) {}
  std::string_view text_;
  std::vector<Node> nodes_;
  bool broken_ = false;
};

}  // namespace cg::syntax
