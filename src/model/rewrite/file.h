// A source with all that is known of it before it is judged.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "npm/syntax/scopes.h"
#include "npm/syntax/types.h"

namespace cg::rewrite {

using syntax::Field;
using syntax::Index;
using syntax::Kind;
using syntax::kNone;
using syntax::Scopes;
using syntax::Syntax;

/// How much text may be made for comparing, in bytes; what needs more is not judged. Counted, so
/// that a file is always judged alike.
struct Work {
  std::size_t left = 32U << 20U;
  void spend(std::size_t bytes) { left -= std::min(left, bytes); }
  [[nodiscard]] bool over() const { return left == 0; }
};

struct File {
  Syntax syntax;
  Scopes scopes;
  std::vector<bool> erased;  // by node: types

  /// `text` must outlive it.
  [[nodiscard]] static Result<File, syntax::Error> parse(std::string_view text,
                                                         syntax::Language language) {
    CG_TRY_ASSIGN(Syntax parsed, Syntax::parse(text, language));
    CG_TRY_ASSIGN(Scopes found, Scopes::of(parsed));
    std::vector<bool> types = syntax::erased_nodes(parsed);
    return File{std::move(parsed), std::move(found), std::move(types)};
  }

  [[nodiscard]] Kind kind(Index node) const {
    return node == kNone ? Kind::other : syntax.at(node).kind;
  }
  [[nodiscard]] Index parent(Index node) const { return syntax.at(node).parent; }
  /// The declaration that a name means when the program runs, or kNone.
  [[nodiscard]] Index binding_of(Index name) const {
    const Index binding = scopes.resolve(name, syntax.text_of(name));
    return binding == kNone || scopes.bindings()[binding].erased ? kNone : binding;
  }
};

/// (x), await x, x as T, x!: still x.
[[nodiscard]] inline bool is_wrapper(Kind kind) {
  return kind == Kind::parenthesized_expression || kind == Kind::await_expression ||
         kind == Kind::as_expression || kind == Kind::satisfies_expression ||
         kind == Kind::non_null_expression || kind == Kind::type_assertion;
}

inline constexpr int kMaxChain = 256;  // a.b.c… of one expression

/// a.b and a['b'].
[[nodiscard]] inline bool is_chain(Kind kind) {
  return kind == Kind::member_expression || kind == Kind::subscript_expression;
}

/// What a name stands in where several are declared or written at once, or with a default.
[[nodiscard]] inline bool is_pattern(Kind kind) {
  return kind == Kind::array_pattern || kind == Kind::object_pattern ||
         kind == Kind::pair_pattern || kind == Kind::rest_pattern ||
         kind == Kind::assignment_pattern || kind == Kind::object_assignment_pattern;
}

}  // namespace cg::rewrite
