#include "npm/exports/locals.h"

#include <algorithm>

#include "npm/syntax/scopes.h"

namespace cg::exports {

using syntax::Field;
using syntax::Index;
using syntax::Kind;
using syntax::kNone;
using syntax::Syntax;

namespace {

bool is_class(Kind kind) {
  return kind == Kind::class_declaration || kind == Kind::abstract_class_declaration ||
         kind == Kind::class_expression;
}

bool is_callable(Kind kind) {
  return (syntax::is_function(kind) && kind != Kind::class_static_block) ||
         kind == Kind::function_signature;
}

}  // namespace

void merge(Export& known, const Export& more) {
  if (known.form == Form::unknown || known.form == Form::type) {
    if (more.form != Form::unknown) known.form = more.form;
  }
  if (!more.arity) return;
  if (!known.arity) {
    known.arity = more.arity;
    return;
  }
  known.arity->least = std::min(known.arity->least, more.arity->least);
  known.arity->most = known.arity->most && more.arity->most
                          ? std::optional(std::max(*known.arity->most, *more.arity->most))
                          : std::nullopt;
}

std::optional<Arity> arity_of(const Syntax& syntax, Index function) {
  if (syntax.child(function, Field::parameter) != kNone) return Arity{1, 1};
  const Index list = syntax.child(function, Field::parameters);
  if (list == kNone) return std::nullopt;
  Arity out;
  unsigned most = 0;
  bool rest = false;
  bool optional = false;
  for (Index c = syntax.first_child(list); c != kNone; c = syntax.next_sibling(c)) {
    const Kind kind = syntax.at(c).kind;
    if (kind == Kind::comment) continue;
    const Index pattern = syntax.child(c, Field::pattern);
    const Kind inner = pattern == kNone ? kind : syntax.at(pattern).kind;
    if (inner == Kind::this_expression) continue;  // a type's word for what it is called on
    rest = rest || inner == Kind::rest_pattern;
    optional = optional || rest || kind == Kind::assignment_pattern ||
               kind == Kind::optional_parameter || syntax.child(c, Field::value) != kNone;
    ++most;
    if (!optional) out.least = most;
  }
  out.most = rest ? std::nullopt : std::optional(most);
  return out;
}

Locals::Locals(const Syntax& syntax) : syntax_(syntax) {
  for (Index i = 1; i < syntax.nodes().size(); ++i) note(i);
}

std::string Locals::word(Index node) const {
  if (node == kNone) return {};
  if (const auto text = syntax_.constant(node)) return *text;
  return std::string(syntax_.text_of(node));
}

Kind Locals::kind(Index node) const { return node == kNone ? Kind::other : syntax_.at(node).kind; }

bool Locals::is_top(Index i) const {
  const Index parent = syntax_.at(i).parent;
  if (parent == 0) return true;
  if (kind(parent) == Kind::ambient_declaration || kind(parent) == Kind::export_statement) {
    return is_top(parent);
  }
  if (kind(parent) != Kind::statement_block) return false;
  const Index module = syntax_.at(parent).parent;
  return kind(module) == Kind::module && kind(syntax_.child(module, Field::name)) == Kind::string;
}

void Locals::note(Index i) {
  switch (kind(i)) {
    case Kind::import_statement:
      return note_import(i);
    case Kind::variable_declarator:
      return note_variable(i);
    case Kind::function_declaration:
    case Kind::generator_function_declaration:
    case Kind::function_signature:
    case Kind::class_declaration:
    case Kind::abstract_class_declaration:
      if (is_top(i)) merge(declared_[word(syntax_.child(i, Field::name))], of_value(i));
      return;
    case Kind::assignment_expression:
      return note_property(i);
    case Kind::call_expression:
      return note_getters(i);
    default:
      return;
  }
}

void Locals::note_import(Index statement) {
  const std::string from = word(syntax_.child(statement, Field::source));
  for (Index i = statement + 1; i < syntax_.at(statement).after; ++i) {
    if (kind(i) == Kind::import_specifier) {
      const Index name = syntax_.child(i, Field::name);
      const Index alias = syntax_.child(i, Field::alias);
      imports_[word(alias == kNone ? name : alias)] = {word(name), from};
    } else if (kind(i) == Kind::identifier && syntax_.parent_kind(i) == Kind::import_clause) {
      imports_[word(i)] = {"default", from};
    } else if (kind(i) == Kind::identifier && syntax_.parent_kind(i) == Kind::namespace_import) {
      imports_[word(i)] = {"*", from};
    }
  }
}

void Locals::note_variable(Index i) {
  const Index name = syntax_.child(i, Field::name);
  const Index value = syntax_.child(i, Field::value);
  if (kind(name) != Kind::identifier) return;
  if (const auto from = required(value)) {
    imports_.try_emplace(word(name), Import{"*", *from});
  } else {
    merge(declared_[word(name)], value == kNone ? Export{Form::constant, {}} : of_value(value));
  }
}

void Locals::note_property(Index assignment) {
  const Index left = syntax_.child(assignment, Field::left);
  if (kind(left) != Kind::member_expression) return;
  const Index object = syntax_.child(left, Field::object);
  if (kind(object) != Kind::identifier) return;
  properties_[word(object)].push_back(assignment);
}

void Locals::note_getters(Index call) {
  const auto [first, second] = arguments_of(call);
  if (callee(call) != "__export" || kind(first) != Kind::identifier) return;
  if (kind(second) == Kind::object) getters_[word(first)] = second;
}

std::pair<Index, Index> Locals::arguments_of(Index call) const {
  const Index list =
      kind(call) == Kind::call_expression ? syntax_.child(call, Field::arguments) : kNone;
  const Index first = list == kNone ? kNone : syntax_.first_child(list);
  return {first, first == kNone ? kNone : syntax_.next_sibling(first)};
}

std::string_view Locals::callee(Index call) const {
  if (kind(call) != Kind::call_expression) return {};
  const Index function = syntax_.child(call, Field::function);
  return function == kNone ? std::string_view() : syntax_.text_of(function);
}

std::optional<std::string> Locals::required(Index value) const {
  if (callee(value) != "require") return std::nullopt;
  return syntax_.constant(arguments_of(value).first);
}

Export Locals::of_value(Index value) const {
  const Kind what = kind(value);
  if (what == Kind::identifier) return of_name(word(value));
  if (is_callable(what)) return {Form::function, arity_of(syntax_, value)};
  if (is_class(what)) return {Form::class_type, constructor_of(value)};
  const bool plain = what == Kind::string || what == Kind::number || what == Kind::object ||
                     what == Kind::template_string;
  return {plain ? Form::constant : Form::unknown, std::nullopt};
}

std::optional<Arity> Locals::constructor_of(Index type) const {
  const Index body = syntax_.child(type, Field::body);
  for (Index c = body == kNone ? kNone : syntax_.first_child(body); c != kNone;
       c = syntax_.next_sibling(c)) {
    const bool method = kind(c) == Kind::method_definition || kind(c) == Kind::method_signature;
    if (method && word(syntax_.child(c, Field::name)) == "constructor") {
      return arity_of(syntax_, c);
    }
  }
  return std::nullopt;  // that of a base, or none
}

Export Locals::of_name(const std::string& name) const {
  const auto known = declared_.find(name);
  return known == declared_.end() ? Export{} : known->second;
}

const Import* Locals::import(const std::string& name) const {
  const auto known = imports_.find(name);
  return known == imports_.end() ? nullptr : &known->second;
}

const std::vector<Index>& Locals::properties(const std::string& name) const {
  static const std::vector<Index> none;
  const auto known = properties_.find(name);
  return known == properties_.end() ? none : known->second;
}

Index Locals::getters(const std::string& name) const {
  const auto known = getters_.find(name);
  return known == getters_.end() ? kNone : known->second;
}

}  // namespace cg::exports
