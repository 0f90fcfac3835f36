#include <algorithm>
#include <set>

#include "learn/carry/spell.h"
#include "learn/carry/uses.h"

// What a value is for is told by what stands around it. That alone would say too little where the
// package gets the value back: `open(find(x))` may want another thing of find() than
// `show(find(x))` does, so whose argument it is belongs to the place.

namespace cg::carry {

namespace {

/// "apart a b" of { a, b: c }.
std::string apart(const Source& source, Index pattern) {
  std::string out = "apart";
  if (source.kind(pattern) == Kind::array_pattern) {
    return out + " " + std::to_string(source.children(pattern).size());
  }
  std::set<std::string> keys;
  for (const Index part : source.children(pattern)) {
    switch (source.kind(part)) {
      case Kind::shorthand_property_identifier_pattern:
        keys.emplace(source.text_of(part));
        break;
      case Kind::pair_pattern:
        if (source.kind(source.syntax().child(part, Field::value)) != Kind::identifier)
          return std::string(kUnclear);
        keys.emplace(source.text_of(source.syntax().child(part, Field::key)));
        break;
      default:
        return std::string(kUnclear);
    }
  }
  for (const std::string& key : keys) out += " " + key;
  return out;
}

/// Outwards over what leaves its value alone.
Index wrapped(const Source& source, Index expression) {
  while (is_wrapper(source.parent_kind(expression))) {
    expression = source.parent(expression);
  }
  return expression;
}

/// What stands around it alone.
std::string place_at(const Source& source, Index at) {
  const Index around = source.parent(at);
  const Field field = source.at(at).field;
  switch (source.kind(around)) {
    case Kind::expression_statement:
      return "statement";
    case Kind::arrow_function:
      return source.is_async(around) ? "return of async" : "return";
    case Kind::return_statement:
      return source.in_async(at) ? "return of async" : "return";
    case Kind::variable_declarator: {
      const Index name = source.syntax().child(around, Field::name);
      const bool is_name = source.kind(name) == Kind::identifier;
      const std::string place = is_name ? "name" : apart(source, name);
      const bool leaves = source.parent_kind(source.parent(around)) == Kind::export_statement;
      return leaves && place != kUnclear ? place + ", exported" : place;
    }
    case Kind::arguments:
      return "argument";
    case Kind::pair:
    case Kind::object:
      return "member";
    case Kind::array:
      return "item";
    case Kind::template_substitution:
      return "text";
    case Kind::binary_expression:
    case Kind::unary_expression:
      return "operand";
    case Kind::ternary_expression:
      return field == Field::condition ? "condition" : "choice";
    case Kind::if_statement:
    case Kind::while_statement:
      return "condition";
    case Kind::assignment_expression:
      return field == Field::right ? "assigned" : "";
    case Kind::for_in_statement:
      return field == Field::right ? "iterated" : "";
    case Kind::spread_element:
      return "spread";
    case Kind::jsx_expression:
      return source.parent_kind(around) == Kind::jsx_attribute ? "attribute" : "child";
    default:
      return {};
  }
}

constexpr std::size_t kMaxTaker = 256;

/// "x *.open" of the `menu.open` that is called, if that is the package's or of what it gave.
std::string words_of_callee(const Source& source, Index callee) {
  std::string out;
  for (Index at = callee; at != kNone;) {
    const Kind kind = source.kind(at);
    if (kind == Kind::identifier) {
      const Meaning meaning = source.meaning_of(at);
      if (meaning.kind == Meaning::Kind::nothing) return {};
      if (meaning.kind == Meaning::Kind::instance) return "what it gave" + out;
      return source.syntax().constant(meaning.source).value_or("") + " " + member_of(meaning) + out;
    }
    if (kind == Kind::call_expression && source.meanings().of(at).kind == Meaning::Kind::whole) {
      return source.syntax().constant(source.meanings().of(at).source).value_or("") + " *" + out;
    }
    Field inner = Field::none;
    if (kind == Kind::member_expression) {
      const Index property = source.syntax().child(at, Field::property);
      out = "." + std::string(source.meanings().word_of(property)) + out;
      inner = Field::object;
    } else if (kind == Kind::subscript_expression) {
      out = "[]" + out;
      inner = Field::object;
    } else if (kind == Kind::call_expression) {
      out = "()" + out;
      inner = Field::function;
    } else if (kind == Kind::new_expression) {
      out = " new" + out;
      inner = Field::builder;
    }
    at = inner == Field::none ? source.syntax().first_child(at) : source.syntax().child(at, inner);
    if (out.size() > kMaxTaker) return out;
  }
  return {};
}

/// The function around a node, if it is a part of an expression; else kNone.
Index lambda_around(const Source& source, Index node) {
  while (node != kNone && !syntax::is_function(source.kind(node))) node = source.parent(node);
  const bool may_be = is_lambda(source.kind(node)) || source.kind(node) == Kind::method_definition;
  return may_be ? node : kNone;
}

/// What of the package gets a value in the end, and where: through lists, objects, operators and
/// functions that return it. Empty if that is none of the package's.
std::string taker_of(const Source& source, Index at) {
  for (Index around = source.parent(at); around != kNone; around = source.parent(at)) {
    const Kind kind = source.kind(around);
    const auto child = [&](Index of, Field field) { return source.syntax().child(of, field); };
    if (kind == Kind::arguments || source.at(at).field == Field::arguments) {
      const Index call = kind == Kind::arguments ? source.parent(around) : around;
      const bool makes = source.kind(call) == Kind::new_expression;
      const std::string words =
          words_of_callee(source, child(call, makes ? Field::builder : Field::function));
      if (words.empty()) return {};
      const std::vector<Index> all = source.children(around);
      const auto number = std::find(all.begin(), all.end(), at) - all.begin() + 1;
      return "argument " + std::to_string(number) + " of " + words;
    }
    if (kind == Kind::assignment_expression) {
      const std::string words = words_of_callee(source, child(around, Field::left));
      return words.empty() ? words : "what is assigned to " + words;
    }
    if (kind == Kind::return_statement) {
      around = lambda_around(source, around);
      if (around == kNone) return {};
    } else if (is_statement(kind) || holds_statements(kind) || kind == Kind::variable_declarator ||
               kind == Kind::jsx_expression) {
      return {};
    }
    at = around;
  }
  return {};
}

}  // namespace

std::string place_of(const Source& source, Index expression) {
  const Index at = wrapped(source, expression);
  std::string place = place_at(source, at);
  if (place.empty() || place.starts_with("apart")) return place;
  const std::string taker = taker_of(source, at);
  if (taker.empty()) return place;
  return taker.size() > kMaxTaker ? std::string() : place + " in " + taker;
}

}  // namespace cg::carry
