#include <optional>

#include "npm/syntax/scopes.h"
#include "npm/upgrade/source.h"

namespace cg::upgrade {

using syntax::Field;
using syntax::Index;
using syntax::Kind;
using syntax::kNone;
using syntax::Syntax;

namespace {

/// The number of a parameter of a function by its name; nothing if it is none.
std::optional<std::size_t> parameter_number(const Source& source, Index function,
                                            std::string_view name) {
  const Syntax& syntax = source.syntax();
  const Index list = syntax.child(function, Field::parameters);
  std::size_t number = 0;
  for (Index c = list == kNone ? kNone : syntax.first_child(list); c != kNone;
       c = syntax.next_sibling(c)) {
    if (syntax.at(c).kind == Kind::comment) continue;
    if (syntax.text_of(c) == name) return number;
    ++number;
  }
  return std::nullopt;
}

Index argument_number(const Source& source, Index call, std::size_t number) {
  const Syntax& syntax = source.syntax();
  const Index list = syntax.child(call, Field::arguments);
  for (Index c = list == kNone ? kNone : syntax.first_child(list); c != kNone;
       c = syntax.next_sibling(c)) {
    if (syntax.at(c).kind == Kind::comment) continue;
    if (number == 0) return c;
    --number;
  }
  return kNone;
}

}  // namespace

Index handed_in(const Source& source, Index call) {
  const Syntax& syntax = source.syntax();
  const Index callee = syntax.child(call, Field::function);
  if (callee == kNone || syntax.at(callee).kind != Kind::identifier) return kNone;
  for (Index up = syntax.at(call).parent; up != kNone; up = syntax.at(up).parent) {
    if (!syntax::is_function(syntax.at(up).kind)) continue;
    const auto number = parameter_number(source, up, syntax.text_of(callee));
    if (!number) continue;
    Index outer = syntax.at(up).parent;
    while (outer != kNone && syntax.at(outer).kind == Kind::parenthesized_expression) {
      outer = syntax.at(outer).parent;
    }
    if (outer == kNone || syntax.at(outer).kind != Kind::call_expression) return kNone;
    return argument_number(source, outer, *number);
  }
  return kNone;
}

bool is_descriptor(const Source& source, Index object) {
  const Syntax& syntax = source.syntax();
  if (syntax.parent_kind(object) != Kind::arguments) return false;
  const Index call = syntax.at(syntax.at(object).parent).parent;
  return call != kNone && source.locals().callee(call) == "Object.defineProperty";
}

bool is_interop(std::string_view callee) {
  return callee.find("import") != std::string_view::npos ||
         callee.find("Import") != std::string_view::npos ||
         callee.find("nterop") != std::string_view::npos || callee.ends_with("__toESM");
}

bool is_callable(Kind kind) {
  return (syntax::is_function(kind) && kind != Kind::class_static_block) ||
         kind == Kind::function_signature;
}

bool is_class(Kind kind) {
  return kind == Kind::class_declaration || kind == Kind::abstract_class_declaration ||
         kind == Kind::class_expression;
}

Index bare(const Source& source, Index node) {
  const Syntax& syntax = source.syntax();
  while (node != kNone) {
    Index next = kNone;
    switch (syntax.at(node).kind) {
      case Kind::assignment_expression:
        next = syntax.child(node, Field::right);
        break;
      case Kind::parenthesized_expression:
      case Kind::as_expression:
      case Kind::satisfies_expression:
      case Kind::non_null_expression:
        next = syntax.first_child(node);
        break;
      case Kind::sequence_expression:
        for (Index c = syntax.first_child(node); c != kNone; c = syntax.next_sibling(c)) next = c;
        break;
      default:
        return node;
    }
    node = next;
  }
  return node;
}

}  // namespace cg::upgrade
