#include "npm/syntax/types.h"

namespace cg::syntax {

namespace {

bool is_type(Kind kind) {
  switch (kind) {
    case Kind::type_annotation:
    case Kind::type_arguments:
    case Kind::type_parameters:
    case Kind::type_predicate_annotation:
    case Kind::asserts_annotation:
    case Kind::function_type:
    case Kind::interface_declaration:
    case Kind::type_alias_declaration:
    case Kind::ambient_declaration:
    case Kind::implements_clause:
    case Kind::function_signature:
    case Kind::method_signature:
    case Kind::abstract_method_signature:
    case Kind::index_signature:
    case Kind::nested_type_identifier:
    case Kind::type_identifier:
      return true;
    default:
      return false;
  }
}

/// The T of `x as T` and `x satisfies T`.
bool is_cast_to(const Syntax& syntax, Index i) {
  const Kind parent = syntax.parent_kind(i);
  if (parent != Kind::as_expression && parent != Kind::satisfies_expression) return false;
  return syntax.first_child(syntax.at(i).parent) != i;
}

}  // namespace

std::vector<bool> erased_nodes(const Syntax& syntax) {
  std::vector<bool> out(syntax.nodes().size(), false);
  for (Index i = 1; i < out.size(); ++i) {
    const Index parent = syntax.at(i).parent;
    out[i] = out[parent] || is_type(syntax.at(i).kind) || is_cast_to(syntax, i);
  }
  return out;
}

}  // namespace cg::syntax
