#include "npm/syntax/meaning.h"

namespace cg::syntax {

namespace {

constexpr int kRounds = 4;     // aliases of aliases
constexpr int kMaxSteps = 64;  // a.b.c.d… of one expression

Meaning whole(Index source) { return {Meaning::Kind::whole, {}, source}; }

Meaning member_of(const Meaning& object, std::string_view name) {
  if (object.kind != Meaning::Kind::whole) {
    Meaning deeper = object;
    deeper.is_deeper = true;
    return deeper;
  }
  // What import gives a CommonJS package as its default is all of it.
  if (name == "default") return {object.kind, {}, object.source, true};
  return {Meaning::Kind::member, name, object.source, object.by_default};
}

}  // namespace

std::string_view Meanings::word_of(Index node) const {
  if (node == kNone) return {};
  std::string_view text = syntax_.text_of(node);
  if (syntax_.at(node).kind == Kind::string && text.size() >= 2) {
    text = text.substr(1, text.size() - 2);
  }
  return text;
}

bool Meanings::names_package(Index string) const {
  if (string == kNone || syntax_.at(string).kind != Kind::string) return false;
  const std::string_view source = word_of(string);
  if (!source.starts_with(package_)) return false;
  return source.size() == package_.size() || source[package_.size()] == '/';
}

/// require('x') or import('x'), of this package.
bool Meanings::is_import(Index call) const {
  const Index function = syntax_.child(call, Field::function);
  const Index arguments = syntax_.child(call, Field::arguments);
  if (function == kNone || arguments == kNone) return false;
  const bool is_word =
      syntax_.at(function).kind == Kind::import ||
      (syntax_.at(function).kind == Kind::identifier && syntax_.text_of(function) == "require");
  return is_word && names_package(syntax_.first_child(arguments));
}

Meaning Meanings::of_call(Index call) const {
  if (is_import(call)) return whole(syntax_.first_child(syntax_.child(call, Field::arguments)));
  const Index function = syntax_.child(call, Field::function);
  if (function == kNone) return {};
  // What compilers write around require(): __importDefault, _interopRequireWildcard …
  const std::string_view name = syntax_.text_of(function);
  const Index arguments = syntax_.child(call, Field::arguments);
  if ((name.starts_with("__import") || name.starts_with("_interop")) && arguments != kNone) {
    const Index first = syntax_.first_child(arguments);
    if (first != kNone && syntax_.at(first).kind == Kind::call_expression && is_import(first)) {
      return whole(syntax_.first_child(syntax_.child(first, Field::arguments)));
    }
  }
  const Meaning callee = of(function);
  if (callee.kind == Meaning::Kind::nothing) return {};
  return {Meaning::Kind::instance, {}, callee.source};
}

Meaning Meanings::of(Index expression) const {
  // From the outside to the name or the call at the bottom, then back over the members.
  std::vector<Index> members;
  bool constructed = false;
  Meaning found;
  for (int step = 0; step < kMaxSteps && expression != kNone; ++step) {
    const Node& node = syntax_.at(expression);
    if (node.kind == Kind::identifier) {
      const Index binding = scopes_.resolve(expression, syntax_.text_of(expression));
      if (binding != kNone) found = of_binding_[binding];
      break;
    }
    if (node.kind == Kind::call_expression) {
      found = of_call(expression);  // recurses into the callee, at most kMaxDepth deep
      break;
    }
    switch (node.kind) {
      case Kind::member_expression:
      case Kind::subscript_expression:
        members.push_back(expression);
        expression = syntax_.child(expression, Field::object);
        continue;
      case Kind::new_expression:
        constructed = true;
        members.clear();
        expression = syntax_.child(expression, Field::builder);
        continue;
      case Kind::parenthesized_expression:
      case Kind::await_expression:
      case Kind::as_expression:
      case Kind::satisfies_expression:
      case Kind::non_null_expression:
        expression = syntax_.first_child(expression);
        continue;
      default:
        return {};
    }
  }
  if (found.kind == Meaning::Kind::nothing) return found;
  if (constructed) return {Meaning::Kind::instance, {}, found.source};
  for (auto it = members.rbegin(); it != members.rend(); ++it) {
    const Index property = syntax_.child(*it, Field::property);
    const Index index = syntax_.child(*it, Field::index);
    found = member_of(found, word_of(property != kNone ? property : index));
  }
  return found;
}

bool Meanings::give(Index name, const Meaning& meaning) {
  if (name == kNone || meaning.kind == Meaning::Kind::nothing) return false;
  const Index binding = scopes_.resolve(name, syntax_.text_of(name));
  if (binding == kNone) return false;
  Meaning& current = of_binding_[binding];
  if (current.kind != Meaning::Kind::nothing) return false;
  current = meaning;
  return true;
}

void Meanings::find_clause(Index statement, Index source) {
  for (Index i = statement + 1; i < syntax_.at(statement).after; ++i) {
    const Kind kind = syntax_.at(i).kind;
    const Kind parent = syntax_.parent_kind(i);
    if (kind == Kind::identifier && parent == Kind::import_specifier &&
        syntax_.at(i).field != Field::alias) {
      continue;  // with its specifier
    }
    if (kind == Kind::import_specifier) {
      const Index name = syntax_.child(i, Field::name);
      const Index alias = syntax_.child(i, Field::alias);
      const std::string_view word = word_of(name);
      asked_.push_back({word, i, whole(source)});
      give(alias != kNone ? alias : name, member_of(whole(source), word));
    } else if (kind == Kind::identifier && parent != Kind::import_specifier) {
      Meaning meaning = whole(source);
      meaning.by_default = parent == Kind::import_clause;
      give(i, meaning);
    }
  }
}

void Meanings::find_export(Index statement, Index source) {
  for (Index i = statement + 1; i < syntax_.at(statement).after; ++i) {
    if (syntax_.at(i).kind != Kind::export_specifier) continue;
    asked_.push_back({word_of(syntax_.child(i, Field::name)), i, whole(source)});
  }
}

void Meanings::find_source(Index string) {
  const Index parent = syntax_.at(string).parent;
  if (parent == kNone || !names_package(string)) return;
  switch (syntax_.at(parent).kind) {
    case Kind::import_statement:
      find_clause(parent, string);
      break;
    case Kind::import_require_clause:
      give(syntax_.first_child(parent), whole(string));
      break;
    case Kind::export_statement:
      if (syntax_.at(string).field != Field::source) return;
      find_export(parent, string);
      break;
    case Kind::arguments: {
      const Index call = syntax_.at(parent).parent;
      if (call == kNone || syntax_.at(call).kind != Kind::call_expression || !is_import(call))
        return;
      break;
    }
    default:
      return;
  }
  sources_.push_back(string);
}

/// `const {a: b, c} = x`: b stands for the member a.
bool Meanings::spread_pattern(Index pattern, const Meaning& from) {
  bool changed = false;
  for (Index i = syntax_.first_child(pattern); i != kNone; i = syntax_.next_sibling(i)) {
    Index name = i;
    Index key = i;
    if (syntax_.at(i).kind == Kind::pair_pattern) {
      key = syntax_.child(i, Field::key);
      name = syntax_.child(i, Field::value);
    }
    if (name != kNone && (syntax_.at(name).kind == Kind::assignment_pattern ||
                          syntax_.at(name).kind == Kind::object_assignment_pattern)) {
      name = syntax_.child(name, Field::left);
      if (syntax_.at(i).kind != Kind::pair_pattern) key = name;
    }
    if (name == kNone || key == kNone || syntax_.at(i).kind == Kind::rest_pattern) continue;
    if (!give(name, member_of(from, word_of(key)))) continue;
    if (from.kind == Meaning::Kind::whole) asked_.push_back({word_of(key), i, from});
    changed = true;
  }
  return changed;
}

bool Meanings::spread_assignment(Index assignment) {
  const Index left = syntax_.child(assignment, Field::left);
  if (left == kNone || syntax_.at(left).kind != Kind::identifier) return false;
  const Index binding = scopes_.resolve(left, syntax_.text_of(left));
  if (binding == kNone || of_binding_[binding].kind != Meaning::Kind::nothing) {
    return false;
  }
  return give(left, of(syntax_.child(assignment, Field::right)));
}

bool Meanings::spread() {
  bool changed = false;
  for (Index i = 0; i < syntax_.nodes().size(); ++i) {
    const Kind kind = syntax_.at(i).kind;
    if (kind == Kind::assignment_expression) {
      if (spread_assignment(i)) changed = true;
      continue;
    }
    if (kind != Kind::variable_declarator) continue;
    const Index name = syntax_.child(i, Field::name);
    const Index value = syntax_.child(i, Field::value);
    if (name == kNone || value == kNone) continue;
    const Meaning meaning = of(value);
    if (meaning.kind == Meaning::Kind::nothing) continue;
    const bool is_pattern = syntax_.at(name).kind == Kind::object_pattern;
    if (is_pattern ? spread_pattern(name, meaning) : give(name, meaning)) changed = true;
  }
  return changed;
}

void Meanings::find() {
  for (Index i = 0; i < syntax_.nodes().size(); ++i) {
    if (syntax_.at(i).kind == Kind::string) find_source(i);
  }
  if (sources_.empty()) return;
  for (int round = 0; round < kRounds && spread(); ++round) {
  }
}

}  // namespace cg::syntax
