#include "model/rewrite/reaching.h"

#include <algorithm>
#include <iterator>

namespace cg::rewrite {

namespace {

constexpr int kMaxCalls = 4;  // functions that call functions

constexpr std::string_view kHarmless[] = {"Array",
                                          "Array.from",
                                          "Array.isArray",
                                          "Array.of",
                                          "BigInt",
                                          "Boolean",
                                          "Date",
                                          "Date.now",
                                          "Error",
                                          "Map",
                                          "Number",
                                          "Object.entries",
                                          "Object.freeze",
                                          "Object.fromEntries",
                                          "Object.keys",
                                          "Object.values",
                                          "Promise",
                                          "Promise.all",
                                          "Promise.allSettled",
                                          "Promise.race",
                                          "Promise.reject",
                                          "Promise.resolve",
                                          "RangeError",
                                          "Set",
                                          "String",
                                          "Symbol",
                                          "TypeError",
                                          "WeakMap",
                                          "WeakSet",
                                          "decodeURIComponent",
                                          "encodeURI",
                                          "encodeURIComponent",
                                          "isNaN",
                                          "parseFloat",
                                          "parseInt",
                                          "structuredClone"};

}  // namespace

bool is_harmless(std::string_view path) {
  return path.starts_with("console.") || path.starts_with("JSON.") || path.starts_with("Math.") ||
         path.starts_with("Number.") ||
         std::find(std::begin(kHarmless), std::end(kHarmless), path) != std::end(kHarmless);
}

Reaching::Reaching(const File& file, const Origins& origins)
    : file_(file), origins_(origins), functions_(file.syntax.nodes().size(), false) {
  bool more = true;
  for (int round = 0; more && round < kMaxCalls; ++round) {
    more = false;
    for (Index i = 1; i < file.syntax.nodes().size(); ++i) {
      if (!file.erased[i] && reaches(i)) more = mark(i) || more;
    }
    for (Index i = 1; i < functions_.size(); ++i) {
      if (functions_[i]) note_method(i);
    }
  }
}

Index Reaching::own_function(Index name) const {
  const Index binding = file_.binding_of(name);
  if (binding == kNone || !origins_.of_binding(binding).empty()) return kNone;
  const Index declared = file_.scopes.bindings()[binding].name;
  const Index holder = file_.parent(declared);
  if (syntax::is_function(file_.kind(holder))) {
    return file_.syntax.at(declared).field == Field::name ? holder : kNone;
  }
  if (file_.kind(holder) != Kind::variable_declarator) return kNone;
  const Index value = file_.syntax.child(holder, Field::value);
  return syntax::is_function(file_.kind(value)) ? value : kNone;
}

bool Reaching::is_reaching(Index name) const {
  const Index own = own_function(name);
  return own != kNone && functions_[own];
}

std::string Reaching::method_of(Index chain) const {
  const Index property = file_.syntax.child(chain, Field::property);
  const Index index = file_.syntax.child(chain, Field::index);
  std::string name;
  if (property != kNone) name = file_.syntax.text_of(property);
  if (index != kNone) name = file_.syntax.constant(index).value_or("");
  return methods_.contains(name) ? name : "";
}

/// All functions around the node do what it does. True if that is new.
bool Reaching::mark(Index node) {
  bool is_new = false;
  for (Index i = file_.parent(node); i != kNone; i = file_.parent(i)) {
    if (!syntax::is_function(file_.kind(i))) continue;
    if (functions_[i]) break;
    functions_[i] = is_new = true;
  }
  return is_new;
}

bool Reaching::is_parameter(Index name) const {
  const Index binding = file_.binding_of(name);
  if (binding == kNone) return false;
  Index i = file_.parent(file_.scopes.bindings()[binding].name);
  while (is_pattern(file_.kind(i)) || file_.kind(i) == Kind::required_parameter ||
         file_.kind(i) == Kind::optional_parameter) {
    i = file_.parent(i);
  }
  return file_.kind(i) == Kind::formal_parameters || file_.kind(i) == Kind::arrow_function;
}

bool Reaching::reaches(Index node) const {
  switch (file_.kind(node)) {
    case Kind::call_expression:
    case Kind::new_expression:
      return calls_out(node);
    case Kind::assignment_expression:
    case Kind::augmented_assignment_expression: {
      const Index left = file_.syntax.child(node, Field::left);
      return left != kNone && origins_.path_of(left).has_value();
    }
    default:
      return false;
  }
}

bool Reaching::calls_out(Index call) const {
  const bool is_new = file_.kind(call) == Kind::new_expression;
  const Index callee = file_.syntax.child(call, is_new ? Field::builder : Field::function);
  if (callee == kNone || origins_.is_of_package(call)) return false;
  if (const auto path = origins_.path_of(callee)) return !is_harmless(*path);
  if (file_.kind(callee) != Kind::identifier) return !method_of(callee).empty();
  const Index own = own_function(callee);
  return own == kNone ? is_parameter(callee) : functions_[own];
}

/// Of a class or an object; which one cannot be told where it is called.
void Reaching::note_method(Index function) {
  const Index holder = file_.parent(function);
  const Kind kind = file_.kind(holder);
  Index name = kNone;
  if (file_.kind(function) == Kind::method_definition) {
    name = file_.syntax.child(function, Field::name);
  } else if (kind == Kind::pair) {
    name = file_.syntax.child(holder, Field::key);
  } else if (kind == Kind::field_definition || kind == Kind::public_field_definition) {
    name = file_.syntax.child(holder, Field::name);
    if (name == kNone) name = file_.syntax.child(holder, Field::property);
  }
  if (name == kNone) return;
  methods_.insert(file_.syntax.constant(name).value_or(std::string(file_.syntax.text_of(name))));
}

}  // namespace cg::rewrite
