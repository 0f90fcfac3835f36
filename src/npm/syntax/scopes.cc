#include "npm/syntax/scopes.h"

#include <string>

#include "base/base/text.h"

namespace cg::syntax {

bool is_function(Kind kind) {
  switch (kind) {
    case Kind::function_declaration:
    case Kind::generator_function_declaration:
    case Kind::function_expression:
    case Kind::generator_function:
    case Kind::arrow_function:
    case Kind::method_definition:
    case Kind::class_static_block:
      return true;
    default:
      return false;
  }
}

namespace {

bool is_block(Kind kind) {
  switch (kind) {
    case Kind::program:
    case Kind::statement_block:
    case Kind::switch_body:
    case Kind::for_statement:
    case Kind::for_in_statement:
    case Kind::catch_clause:
      return true;
    default:
      return false;
  }
}

/// Declarations that leave nothing in the program that runs. Nothing is left of a namespace
/// that has only types in it, which nobody here can tell.
bool is_type_alone(Kind kind) {
  return kind == Kind::interface_declaration || kind == Kind::type_alias_declaration ||
         kind == Kind::type_parameter || kind == Kind::internal_module || kind == Kind::module;
}

/// Declarations whose field `name` is declared around them.
bool is_named_declaration(Kind kind) {
  switch (kind) {
    case Kind::function_declaration:
    case Kind::generator_function_declaration:
    case Kind::class_declaration:
    case Kind::abstract_class_declaration:
    case Kind::enum_declaration:
    case Kind::internal_module:
    case Kind::interface_declaration:
    case Kind::type_alias_declaration:
      return true;
    default:
      return false;
  }
}

}  // namespace

/// Two walks in the order of the text: first the scopes, then the names, since a name may be
/// declared behind its use.
class ScopeBuilder {
 public:
  explicit ScopeBuilder(const Syntax& syntax) : syntax_(syntax) {}

  Result<Scopes, Error> run() {
    CG_TRY(open_scopes());
    out_.declares_.assign(syntax_.nodes().size(), false);
    for (Index i = 0; i < syntax_.nodes().size(); ++i) declare_at(i);
    return std::move(out_);
  }

 private:
  Result<Done, Error> open_scopes() {
    const auto& nodes = syntax_.nodes();
    out_.scope_of_.assign(nodes.size(), 0);
    std::vector<std::uint32_t> depth;
    for (Index i = 0; i < nodes.size(); ++i) {
      const std::uint32_t around = nodes[i].parent == kNone ? 0 : inner_of(nodes[i].parent);
      out_.scope_of_[i] = around;
      if (!is_function(nodes[i].kind) && !is_block(nodes[i].kind)) continue;
      const std::size_t deep = depth.empty() ? 0 : depth[around] + 1U;
      if (deep > kMaxScopeDepth) return fail(Error::too_deep);
      opened_.emplace(i, static_cast<std::uint32_t>(out_.parent_of_.size()));
      out_.parent_of_.push_back(around);
      of_function_.push_back(is_function(nodes[i].kind) || nodes[i].kind == Kind::program);
      depth.push_back(static_cast<std::uint32_t>(deep));
    }
    return Done{};
  }

  /// The scope of what is beneath a node.
  [[nodiscard]] std::uint32_t inner_of(Index node) const {
    const auto it = opened_.find(node);
    return it == opened_.end() ? out_.scope_of_[node] : it->second;
  }

  [[nodiscard]] std::uint32_t function_scope(std::uint32_t scope) const {
    while (!of_function_[scope]) scope = out_.parent_of_[scope];
    return scope;
  }

  void declare(std::uint32_t scope, Index name) {
    if (name == kNone || out_.declares_[name]) return;
    out_.declares_[name] = true;
    const auto index = static_cast<Index>(out_.bindings_.size());
    const bool erased = is_type_alone(syntax_.parent_kind(name)) || is_type_import(name);
    out_.bindings_.push_back({name, erased});
    out_.names_.emplace(Scopes::Key{scope, syntax_.text_of(name)}, index);  // the first counts
  }

  /// import type { a }, import { type a }: the word is a token before what it is about.
  [[nodiscard]] bool is_type_import(Index name) const {
    const auto has_word = [&](Index around, Index until) {
      const std::uint32_t begin = syntax_.at(around).begin;
      const std::string_view head = syntax_.text().substr(begin, syntax_.at(until).begin - begin);
      return head.find("type") != head.npos;
    };
    Index inner = name;
    for (Index i = syntax_.at(name).parent; i != kNone; inner = i, i = syntax_.at(i).parent) {
      switch (syntax_.at(i).kind) {
        case Kind::import_specifier:
          if (has_word(i, syntax_.first_child(i))) return true;
          break;
        case Kind::import_statement:
          return has_word(i, inner);
        case Kind::import_clause:
        case Kind::named_imports:
        case Kind::namespace_import:
          break;
        default:
          return false;
      }
    }
    return false;
  }

  void declare_at(Index i) {
    const Node& node = syntax_.at(i);
    const std::uint32_t scope = out_.scope_of_[i];
    if (is_named_declaration(node.kind)) {
      declare(scope, syntax_.child(i, Field::name));
      return;
    }
    switch (node.kind) {
      case Kind::variable_declarator:
        return declare_variable(i, scope);
      case Kind::function_expression:
      case Kind::generator_function:
      case Kind::type_parameter:
        return declare(inner_of(i), syntax_.child(i, Field::name));
      case Kind::arrow_function:
        return declare(inner_of(i), syntax_.child(i, Field::parameter));
      case Kind::formal_parameters:
        // Those of a function's type are no names of the scope around it.
        if (is_function(syntax_.parent_kind(i))) declare_children(i, scope);
        return;
      case Kind::catch_clause:
        return declare_pattern(syntax_.child(i, Field::parameter), inner_of(i));
      case Kind::for_in_statement:
        if (has_keyword(i)) {
          declare_pattern(syntax_.child(i, Field::left), inner_of(i));
        }
        return;
      case Kind::import_clause:
      case Kind::namespace_import:
      case Kind::import_require_clause:
        for (Index c = syntax_.first_child(i); c != kNone; c = syntax_.next_sibling(c)) {
          if (syntax_.at(c).kind == Kind::identifier) declare(scope, c);
        }
        return;
      case Kind::import_specifier: {
        const Index alias = syntax_.child(i, Field::alias);
        return declare(scope, alias != kNone ? alias : syntax_.child(i, Field::name));
      }
      default:
        return;
    }
  }

  /// `for (const x of …)`: the word is a token, which the flat list leaves out. It is what
  /// stands before the name; a comment may say the same word.
  [[nodiscard]] bool has_keyword(Index loop) const {
    const Index left = syntax_.child(loop, Field::left);
    if (left == kNone) return false;
    std::string head;
    std::uint32_t at = syntax_.at(loop).begin;
    for (Index c = syntax_.first_child(loop); c != kNone && c <= left;
         c = syntax_.next_sibling(c)) {
      head += trim(syntax_.text().substr(at, syntax_.at(c).begin - at));
      at = syntax_.at(c).end;
    }
    return head.ends_with("const") || head.ends_with("let") || head.ends_with("var");
  }

  void declare_variable(Index i, std::uint32_t scope) {
    const bool hoists = syntax_.parent_kind(i) == Kind::variable_declaration;
    declare_pattern(syntax_.child(i, Field::name), hoists ? function_scope(scope) : scope);
  }

  void declare_children(Index i, std::uint32_t scope) {
    for (Index c = syntax_.first_child(i); c != kNone; c = syntax_.next_sibling(c)) {
      declare_pattern(c, scope);
    }
  }

  /// Keys, types, decorators and defaults of a pattern hold names that it does not declare.
  [[nodiscard]] bool may_declare(Index i) const {
    const Node& node = syntax_.at(i);
    if (node.kind == Kind::decorator || node.kind == Kind::type_annotation) return false;
    if (node.field == Field::key || node.field == Field::type) return false;
    if (node.field == Field::right) return false;
    return node.field != Field::value || syntax_.parent_kind(i) == Kind::pair_pattern;
  }

  /// All names in a pattern.
  void declare_pattern(Index pattern, std::uint32_t scope) {
    if (pattern == kNone) return;
    Index i = pattern;
    while (i < syntax_.at(pattern).after) {
      const Node& node = syntax_.at(i);
      if (i != pattern && !may_declare(i)) {
        i = node.after;
        continue;
      }
      if (node.kind == Kind::identifier ||
          node.kind == Kind::shorthand_property_identifier_pattern) {
        declare(scope, i);
      }
      ++i;
    }
  }

  const Syntax& syntax_;
  Scopes out_;
  std::unordered_map<Index, std::uint32_t> opened_;  // by node
  std::vector<bool> of_function_;                    // by scope
};

Result<Scopes, Error> Scopes::of(const Syntax& syntax) { return ScopeBuilder(syntax).run(); }

Index Scopes::resolve(Index at, std::string_view name) const {
  std::uint32_t scope = scope_of_[at];
  for (;;) {
    const auto it = names_.find(Key{scope, name});
    if (it != names_.end()) return it->second;
    if (scope == 0) return kNone;
    scope = parent_of_[scope];
  }
}

}  // namespace cg::syntax
