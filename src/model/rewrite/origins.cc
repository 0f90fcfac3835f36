#include "model/rewrite/origins.h"

#include <algorithm>

namespace cg::rewrite {

namespace {

constexpr int kRounds = 4;  // names for names
constexpr int kTurns = 8;   // names that are given names

}  // namespace

std::string module_path(std::string_view specifier) {
  std::string out = "'";
  out += specifier;
  out += '\'';
  return out;
}

std::vector<PatternPart> parts_of(const File& file, Index pattern) {
  std::vector<PatternPart> out;
  if (file.kind(pattern) != Kind::object_pattern) return out;
  const Syntax& syntax = file.syntax;
  for (Index i = syntax.first_child(pattern); i != kNone; i = syntax.next_sibling(i)) {
    const Kind kind = file.kind(i);
    if (kind == Kind::comment) continue;
    const bool pair = kind == Kind::pair_pattern;
    Index name = pair ? syntax.child(i, Field::value) : i;
    if (kind == Kind::rest_pattern) name = syntax.first_child(i);
    const Kind inner = file.kind(name);
    if (inner == Kind::assignment_pattern || inner == Kind::object_assignment_pattern) {
      name = syntax.child(name, Field::left);
    }
    const Index key = pair ? syntax.child(i, Field::key) : name;
    if (key == kNone || name == kNone) continue;
    const bool rest = kind == Kind::rest_pattern;
    out.push_back(
        {rest ? "" : syntax.constant(key).value_or(std::string(syntax.text_of(key))), name});
  }
  return out;
}

Origins::Origins(const File& file, std::string_view package, syntax::Language language)
    : file_(file),
      package_(package),
      sloppy_(language == syntax::Language::javascript && !is_strict()),
      paths_(file.scopes.bindings().size()),
      given_(given_in(file)),
      derived_(file.scopes.bindings().size(), false),
      mixed_(file.scopes.bindings().size(), false) {
  bind_imports();
  // A name whose values are not all the package's makes others of its kind, so it begins anew.
  for (int turn = 0; turn < kTurns; ++turn) {
    derive();
    if (!find_mixed()) return;
  }
  for (Index binding = 0; binding < mixed_.size(); ++binding) {
    mixed_[binding] = mixed_[binding] || !given_.to[binding].empty();
  }
  derive();
}

void Origins::derive() {
  derived_.assign(derived_.size(), false);
  for (int round = 0; round < kRounds && bind_values(); ++round) {
  }
}

/// Names that hold what comes out of the package and something else as well; false if there are no
/// more of them.
bool Origins::find_mixed() {
  bool found = false;
  for (Index binding = 0; binding < derived_.size(); ++binding) {
    if (!derived_[binding] || mixed_[binding]) continue;
    const auto& given = given_.to[binding];
    mixed_[binding] =
        !std::all_of(given.begin(), given.end(), [&](Index value) { return is_of_package(value); });
    found = found || mixed_[binding];
  }
  return found;
}

/// Modules are strict, and so is who says so first. There `this` of a plain call is nothing.
bool Origins::is_strict() const {
  const Syntax& syntax = file_.syntax;
  for (Index i = syntax.nodes().empty() ? kNone : syntax.first_child(0); i != kNone;
       i = syntax.next_sibling(i)) {
    if (file_.kind(i) == Kind::import_statement || file_.kind(i) == Kind::export_statement) {
      return true;
    }
    const Index first = syntax.first_child(i);
    if (file_.kind(i) == Kind::expression_statement && file_.kind(first) == Kind::string &&
        syntax.constant(first) == "use strict") {
      return true;
    }
  }
  return false;
}

bool Origins::is_package_path(std::string_view path) const {
  if (!path.starts_with('\'') || package_.empty()) return false;
  path.remove_prefix(1);
  if (!path.starts_with(package_)) return false;
  path.remove_prefix(package_.size());
  return path.starts_with('\'') || path.starts_with('/');
}

std::optional<std::string> Origins::module_of(Index call) const {
  if (file_.kind(call) != Kind::call_expression) return std::nullopt;
  const Syntax& syntax = file_.syntax;
  const Index function = syntax.child(call, Field::function);
  const bool is_require = file_.kind(function) == Kind::identifier &&
                          syntax.text_of(function) == "require" &&
                          file_.binding_of(function) == kNone;
  if (!is_require && file_.kind(function) != Kind::import) return std::nullopt;
  const Index list = syntax.child(call, Field::arguments);
  const Index first = list == kNone ? kNone : syntax.first_child(list);
  // A second argument chooses how the bytes are read.
  if (first == kNone || syntax.next_sibling(first) != kNone) return std::nullopt;
  return syntax.constant(first);
}

/// Of what stands at the bottom of a chain.
std::optional<std::string> Origins::root_path(Index node) const {
  const Syntax& syntax = file_.syntax;
  switch (file_.kind(node)) {
    case Kind::identifier:
    case Kind::shorthand_property_identifier:
    case Kind::shorthand_property_identifier_pattern: {
      const Index binding = file_.binding_of(node);
      if (binding == kNone) return std::string(syntax.text_of(node));
      if (paths_[binding].empty()) return std::nullopt;
      return paths_[binding];
    }
    case Kind::meta_property:
      return std::string(syntax.text_of(node));
    case Kind::this_expression:
      if (!sloppy_) return std::nullopt;
      for (Index i = file_.parent(node); i != kNone; i = file_.parent(i)) {
        if (file_.kind(i) == Kind::class_body) return std::nullopt;
      }
      return "this";
    case Kind::call_expression: {
      const auto module = module_of(node);
      if (!module) return std::nullopt;
      return module_path(*module);
    }
    default:
      return std::nullopt;
  }
}

/// What (x), x as T or (0, x) stands for; kNone for what stands for itself.
Index Origins::inside(Index expression) const {
  const Syntax& syntax = file_.syntax;
  const Kind kind = file_.kind(expression);
  const bool sequence = kind == Kind::sequence_expression;
  if (!sequence && !is_wrapper(kind)) return kNone;
  Index found = syntax.first_child(expression);
  if (found == kNone) return kNone;
  if (kind == Kind::type_assertion) return syntax.next_sibling(found);  // <T>x
  for (Index i = found; sequence && i != kNone; i = syntax.next_sibling(i)) found = i;
  return found;
}

/// "b" of a.b and a['b'], "0" of a[0], "*" of a[b].
std::string Origins::member_of(Index chain) const {
  const Syntax& syntax = file_.syntax;
  const Index property = syntax.child(chain, Field::property);
  if (property != kNone) return std::string(syntax.text_of(property));
  const Index index = syntax.child(chain, Field::index);
  if (auto constant = syntax.constant(index)) return *std::move(constant);
  return file_.kind(index) == Kind::number ? std::string(syntax.text_of(index)) : "*";
}

std::optional<std::string> Origins::path_of(Index expression) const {
  std::vector<std::string> members;
  for (int step = 0; expression != kNone; ++step) {
    if (step > kMaxChain) return "?";  // nobody writes that, so no old text has it
    if (const Index inner = inside(expression); inner != kNone) {
      expression = inner;
      continue;
    }
    if (!is_chain(file_.kind(expression))) break;
    members.push_back(member_of(expression));
    expression = file_.syntax.child(expression, Field::object);
  }
  if (expression == kNone) return std::nullopt;
  auto path = root_path(expression);
  if (!path) return std::nullopt;
  for (auto it = members.rbegin(); it != members.rend(); ++it) *path += "." + *it;
  return path;
}

bool Origins::is_of_package(Index expression) const {
  const Syntax& syntax = file_.syntax;
  for (int step = 0; step < kMaxChain && expression != kNone; ++step) {
    const Kind kind = file_.kind(expression);
    if (is_wrapper(kind)) {
      expression = syntax.first_child(expression);
    } else if (is_chain(kind)) {
      expression = syntax.child(expression, Field::object);
    } else if (kind == Kind::new_expression) {
      expression = syntax.child(expression, Field::builder);
    } else if (kind == Kind::call_expression && !module_of(expression)) {
      expression = syntax.child(expression, Field::function);
    } else {
      break;
    }
  }
  if (expression == kNone) return false;
  if (file_.kind(expression) == Kind::identifier) {
    const Index binding = file_.binding_of(expression);
    if (binding != kNone && derived_[binding]) return true;
  }
  const auto path = root_path(expression);
  return path && is_package_path(*path);
}

bool Origins::give(Index name, const std::string& path) {
  if (name == kNone) return false;
  const Index binding = file_.scopes.resolve(name, file_.syntax.text_of(name));
  if (binding == kNone || !paths_[binding].empty()) return false;
  paths_[binding] = path;
  return true;
}

void Origins::bind_imports() {
  for (Index i = 1; i < file_.syntax.nodes().size(); ++i) {
    if (file_.kind(i) == Kind::import_statement) bind_import(i);
  }
}

void Origins::bind_import(Index statement) {
  const Syntax& syntax = file_.syntax;
  std::string path;
  for (Index i = statement + 1; i < syntax.at(statement).after; ++i) {
    if (syntax.at(i).field == Field::source) {
      path = module_path(syntax.constant(i).value_or("?"));
    }
  }
  for (Index i = statement + 1; i < syntax.at(statement).after; ++i) {
    const Kind around = syntax.parent_kind(i);
    if (file_.kind(i) == Kind::import_specifier) {
      const Index name = syntax.child(i, Field::name);
      const Index alias = syntax.child(i, Field::alias);
      if (name == kNone) continue;
      const std::string exported =
          syntax.constant(name).value_or(std::string(syntax.text_of(name)));
      give(alias == kNone ? name : alias, path + "." + exported);
    } else if (file_.kind(i) == Kind::identifier && around == Kind::import_clause) {
      give(i, path + ".default");
    } else if (file_.kind(i) == Kind::identifier &&
               (around == Kind::namespace_import || around == Kind::import_require_clause)) {
      give(i, path);
    }
  }
}

/// `const { a: b, ...c } = x`: b is x.a, and c may be anything of it.
bool Origins::bind_pattern(Index pattern, const std::string& path) {
  if (file_.kind(pattern) == Kind::identifier) return give(pattern, path);
  bool changed = false;
  for (const PatternPart& part : parts_of(file_, pattern)) {
    // What is taken of a member again is seen as a use of the member.
    if (file_.kind(part.name) == Kind::object_pattern) continue;
    const bool given = give(part.name, part.key.empty() ? path : path + "." + part.key);
    changed = given || changed;
  }
  return changed;
}

/// (function (root) { … })(globalThis)
bool Origins::bind_parameters(Index call) {
  const Syntax& syntax = file_.syntax;
  Index function = syntax.child(call, Field::function);
  while (file_.kind(function) == Kind::parenthesized_expression) {
    function = syntax.first_child(function);
  }
  if (function == kNone || !syntax::is_function(file_.kind(function))) return false;
  const Index names = syntax.child(function, Field::parameters);
  const Index values = syntax.child(call, Field::arguments);
  if (names == kNone || values == kNone) return false;
  bool changed = false;
  Index value = syntax.first_child(values);
  for (Index i = syntax.first_child(names); i != kNone && value != kNone;
       i = syntax.next_sibling(i), value = syntax.next_sibling(value)) {
    const Index pattern = syntax.child(i, Field::pattern);
    const auto path = path_of(value);
    if (path) changed = bind_pattern(pattern == kNone ? i : pattern, *path) || changed;
  }
  return changed;
}

bool Origins::mark(Index pattern) {
  bool changed = false;
  for (Index i = pattern; i < file_.syntax.at(pattern).after; ++i) {
    if (!file_.scopes.is_declaration(i)) continue;
    const Index binding = file_.scopes.resolve(i, file_.syntax.text_of(i));
    if (binding == kNone || derived_[binding] || mixed_[binding]) continue;
    derived_[binding] = true;
    changed = true;
  }
  return changed;
}

bool Origins::bind_values() {
  bool changed = false;
  for (Index i = 1; i < file_.syntax.nodes().size(); ++i) {
    if (file_.kind(i) == Kind::call_expression) changed = bind_parameters(i) || changed;
    if (file_.kind(i) != Kind::variable_declarator) continue;
    const Index name = file_.syntax.child(i, Field::name);
    const Index value = file_.syntax.child(i, Field::value);
    if (name == kNone || value == kNone) continue;
    if (const auto path = path_of(value)) changed = bind_pattern(name, *path) || changed;
    if (is_of_package(value)) changed = mark(name) || changed;
  }
  return changed;
}

}  // namespace cg::rewrite
