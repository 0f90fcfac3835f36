#include "model/callsite/homes.h"

#include <algorithm>

namespace cg::callsite {

using syntax::Field;
using syntax::Index;
using syntax::Kind;
using syntax::kNone;
using syntax::Syntax;

std::vector<Range> in_order(std::vector<Range> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::vector<Range> out;
  for (const Range& range : ranges) {
    if (!out.empty() && range.begin < out.back().end) {
      out.back().end = std::max(out.back().end, range.end);
    } else {
      out.push_back(range);
    }
  }
  return out;
}

Range whole_lines(std::string_view text, Range range) {
  std::size_t begin = range.begin;
  while (begin > 0 && text[begin - 1] != '\n' && range.begin - begin <= kMaxMargin) --begin;
  std::size_t end = range.end;
  while (end < text.size() && text[end] != '\n' && end - range.end <= kMaxMargin) ++end;
  if (range.begin - begin <= kMaxMargin) range.begin = begin;
  if (end - range.end <= kMaxMargin) range.end = end;
  return range;
}

bool is_reference(Kind kind) {
  return kind == Kind::identifier || kind == Kind::shorthand_property_identifier ||
         kind == Kind::type_identifier;
}

Homes::Homes(const Syntax& syntax) : syntax_(syntax), home_(syntax.nodes().size(), kNone) {
  for (Index i = 1; i < home_.size(); ++i) {
    const Index parent = syntax.at(i).parent;
    home_[i] = parent == 0 || opens(i) ? i : home_[parent];
  }
}

Range Homes::range_of(Index node) const {
  Index home = home_[node];
  if (home == kNone) return {syntax_.at(node).begin, syntax_.at(node).end};
  for (Index parent = syntax_.at(home).parent; parent != kNone && parent != 0;
       parent = syntax_.at(home).parent) {
    if (!is_shell(parent)) break;
    home = parent;
  }
  return {syntax_.at(home).begin, syntax_.at(home).end};
}

bool Homes::opens(Index i) const {
  switch (syntax_.at(i).kind) {
    case Kind::function_declaration:
    case Kind::generator_function_declaration:
    case Kind::method_definition:
    case Kind::class_static_block:
    case Kind::field_definition:
    case Kind::public_field_definition:
    case Kind::function_expression:
    case Kind::generator_function:
      return true;
    case Kind::arrow_function: {
      // x => f(x) within a call says nothing without the call.
      const Index body = syntax_.child(i, Field::body);
      const bool has_block = body != kNone && syntax_.at(body).kind == Kind::statement_block;
      return has_block || is_shell(syntax_.at(i).parent);
    }
    default:
      return false;
  }
}

bool Homes::is_shell(Index i) const {
  switch (syntax_.at(i).kind) {
    case Kind::variable_declarator:
    case Kind::pair:
    case Kind::assignment_expression:
    case Kind::expression_statement:
    case Kind::export_statement:
      return true;
    case Kind::lexical_declaration:
    case Kind::variable_declaration:
      return syntax_.next_sibling(syntax_.first_child(i)) == kNone;
    default:
      return false;
  }
}

}  // namespace cg::callsite
