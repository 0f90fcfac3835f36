// Two walks: the first (locals.h) notes what the file declares and imports, so that
// `export { a }` can say what a is; the second takes exports in each of the ways that people and
// compilers write them.
#include "npm/exports/names.h"

#include "base/base/text.h"
#include "npm/exports/locals.h"

namespace cg::exports {

using syntax::Field;
using syntax::Index;
using syntax::Kind;
using syntax::kNone;
using syntax::Syntax;

namespace {

class Reader {
 public:
  Reader(const Syntax& syntax, bool declarations) : syntax_(syntax), locals_(syntax) {
    if (declarations) out_.module.style = Style::declarations;
  }

  FileNames run() {
    for (Index i = 1; i < syntax_.nodes().size(); ++i) take(i);
    finish();
    return std::move(out_);
  }

 private:
  void take(Index i) {
    switch (locals_.kind(i)) {
      case Kind::import_statement:
        is_module_ = true;
        return;
      case Kind::export_statement:
        is_module_ = true;
        if (locals_.is_top(i)) take_export(i);
        return;
      case Kind::assignment_expression:
        return take_assignment(i);
      case Kind::call_expression:
        return take_call(i);
      case Kind::identifier:
        return take_loose(i);
      default:
        return;
    }
  }

  void take_export(Index i) {
    const Index declaration = syntax_.child(i, Field::declaration);
    const Index value = syntax_.child(i, Field::value);
    const Index source = syntax_.child(i, Field::source);
    const std::string_view rest = trim(syntax_.text_of(i).substr(6));  // export
    const bool is_default = rest.starts_with("default");
    if (is_default) {
      const Index what = declaration == kNone ? value : declaration;
      return add("default", locals_.of_value(what), what);
    }
    if (declaration != kNone) return add_declaration(declaration);
    if (source != kNone) return take_from(i, locals_.word(source));
    bool has_clause = false;
    for (Index c = syntax_.first_child(i); c != kNone; c = syntax_.next_sibling(c)) {
      if (locals_.kind(c) == Kind::export_clause) take_clause(c, "");
      has_clause = has_clause || locals_.kind(c) == Kind::export_clause;
    }
    if (!has_clause) {  // export = x, export as namespace X
      const bool whole = trim(syntax_.text_of(i).substr(6)).starts_with('=');
      add("default", {}, whole ? syntax_.first_child(i) : kNone);
      out_.module.complete = false;
    }
  }

  void take_from(Index statement, const std::string& from) {
    bool all = true;
    for (Index c = syntax_.first_child(statement); c != kNone; c = syntax_.next_sibling(c)) {
      if (locals_.kind(c) == Kind::export_clause) {
        take_clause(c, from);
        all = false;
      } else if (locals_.kind(c) == Kind::namespace_export) {
        out_.forwards.push_back({locals_.word(syntax_.first_child(c)), "*", from});
        all = false;
      }
    }
    if (all) out_.stars.push_back(from);
  }

  void take_clause(Index clause, const std::string& from) {
    for (Index c = syntax_.first_child(clause); c != kNone; c = syntax_.next_sibling(c)) {
      if (locals_.kind(c) != Kind::export_specifier) continue;
      const Index name = syntax_.child(c, Field::name);
      const Index alias = syntax_.child(c, Field::alias);
      const std::string as = locals_.word(alias == kNone ? name : alias);
      if (!from.empty()) {
        out_.forwards.push_back({as, locals_.word(name), from});
      } else {
        add_local(as, name);
      }
    }
  }

  void add_declaration(Index declaration) {
    switch (locals_.kind(declaration)) {
      case Kind::lexical_declaration:
      case Kind::variable_declaration:
        for (Index c = declaration + 1; c < syntax_.at(declaration).after; ++c) {
          if (locals_.kind(c) == Kind::variable_declarator && syntax_.at(c).parent == declaration) {
            add_variable(c);
          }
        }
        return;
      case Kind::ambient_declaration:
        for (Index c = syntax_.first_child(declaration); c != kNone; c = syntax_.next_sibling(c)) {
          add_declaration(c);
        }
        return;
      case Kind::interface_declaration:
      case Kind::type_alias_declaration:
        return add(locals_.word(syntax_.child(declaration, Field::name)), {Form::type, {}},
                   declaration);
      case Kind::enum_declaration:
      case Kind::internal_module:
      case Kind::module:
        return add(locals_.word(syntax_.child(declaration, Field::name)), {Form::constant, {}},
                   declaration);
      case Kind::comment:
        return;
      default:
        return add(locals_.word(syntax_.child(declaration, Field::name)),
                   locals_.of_value(declaration), declaration);
    }
  }

  void add_variable(Index declarator) {
    const Index name = syntax_.child(declarator, Field::name);
    const Index value = syntax_.child(declarator, Field::value);
    if (locals_.kind(name) == Kind::identifier) {
      return add(locals_.word(name),
                 value == kNone ? Export{Form::constant, {}} : locals_.of_value(value), declarator);
    }
    for (Index i = name; name != kNone && i < syntax_.at(name).after; ++i) {
      const bool is_name =
          locals_.kind(i) == Kind::shorthand_property_identifier_pattern ||
          (locals_.kind(i) == Kind::identifier && syntax_.at(i).field != Field::right);
      if (is_name) add(locals_.word(i), {}, i);
    }
  }

  // CommonJS.

  [[nodiscard]] bool is_exports(Index node) const {
    if (locals_.kind(node) == Kind::identifier) return locals_.word(node) == "exports";
    return locals_.kind(node) == Kind::member_expression &&
           syntax_.text_of(node) == "module.exports";
  }

  void take_assignment(Index assignment) {
    const Index left = syntax_.child(assignment, Field::left);
    const Index right = syntax_.child(assignment, Field::right);
    if (locals_.kind(left) == Kind::member_expression &&
        syntax_.text_of(left) == "module.exports") {
      return take_whole(right);
    }
    const bool member = locals_.kind(left) == Kind::member_expression;
    if (!member && locals_.kind(left) != Kind::subscript_expression) return;
    if (!is_exports(syntax_.child(left, Field::object))) return;
    const Index key = syntax_.child(left, member ? Field::property : Field::index);
    if (!member && !syntax_.constant(key)) {
      out_.module.complete = false;
    } else {
      take_member(locals_.word(key), right);
    }
  }

  void take_member(const std::string& name, Index value) {
    found_ = true;
    while (locals_.kind(value) == Kind::assignment_expression) {
      value = syntax_.child(value, Field::right);
    }
    const auto from = locals_.required(value);
    if (from) {
      out_.forwards.push_back({name, "*", *from});
    } else if (const auto original = member_of_required(value)) {
      out_.forwards.push_back({name, original->original, original->from});
    } else if (locals_.kind(value) == Kind::identifier) {
      add_local(name, value);
    } else {
      add(name, locals_.of_value(value), value);
    }
  }

  /// require('./b').c
  [[nodiscard]] std::optional<Import> member_of_required(Index value) const {
    if (locals_.kind(value) != Kind::member_expression) return std::nullopt;
    const auto from = locals_.required(syntax_.child(value, Field::object));
    if (!from) return std::nullopt;
    return Import{locals_.word(syntax_.child(value, Field::property)), *from};
  }

  /// { a: () => b }: a is b.
  void take_getters(Index object) {
    for (Index c = syntax_.first_child(object); c != kNone; c = syntax_.next_sibling(c)) {
      const Index value = syntax_.child(c, Field::value);
      if (value == kNone) continue;
      add_local(locals_.word(syntax_.child(c, Field::key)), syntax_.child(value, Field::body));
    }
  }

  void take_whole(Index value) {
    found_ = true;
    while (locals_.kind(value) == Kind::assignment_expression)
      value = syntax_.child(value, Field::right);
    if (locals_.kind(value) == Kind::object) return take_object(value);
    if (const auto from = locals_.required(value)) {
      out_.stars.push_back(*from);
      out_.forwards.push_back({"default", "default", *from});
      return;
    }
    const auto [first, second] = locals_.arguments_of(value);
    const Index getters =
        locals_.callee(value) == "__toCommonJS" ? locals_.getters(locals_.word(first)) : kNone;
    if (getters != kNone) return take_getters(getters);
    if (is_exports(value)) return;
    // A function, a class or what a call gave: it may have properties that nobody sees here.
    out_.module.complete = false;
    if (locals_.kind(value) != Kind::identifier) {
      return add("default", locals_.of_value(value), value);
    }
    add_local("default", value);
    for (const Index assignment : locals_.properties(locals_.word(value))) {
      const Index left = syntax_.child(assignment, Field::left);
      const Index right = syntax_.child(assignment, Field::right);
      add(locals_.word(syntax_.child(left, Field::property)), locals_.of_value(right), right);
    }
  }

  void take_object(Index object) {
    for (Index c = syntax_.first_child(object); c != kNone; c = syntax_.next_sibling(c)) {
      switch (locals_.kind(c)) {
        case Kind::shorthand_property_identifier:
          add_local(locals_.word(c), c);
          break;
        case Kind::pair:
          if (locals_.kind(syntax_.child(c, Field::key)) == Kind::computed_property_name) {
            out_.module.complete = false;
          } else {
            take_member(locals_.word(syntax_.child(c, Field::key)), syntax_.child(c, Field::value));
          }
          break;
        case Kind::method_definition:
          add(locals_.word(syntax_.child(c, Field::name)), locals_.of_value(c), c);
          break;
        case Kind::comment:
          break;
        default: {
          const auto from = locals_.required(syntax_.first_child(c));
          if (locals_.kind(c) == Kind::spread_element && from) {
            out_.stars.push_back(*from);
          } else {
            out_.module.complete = false;
          }
        }
      }
    }
  }

  /// Object.defineProperty(exports, 'a', …), __exportStar(require('./b'), exports) …
  void take_call(Index call) {
    const auto [first, second] = locals_.arguments_of(call);
    const std::string_view name = locals_.callee(call);
    if (name == "Object.defineProperty" && is_exports(first)) {
      const auto key = syntax_.constant(second);
      found_ = true;
      if (!key) out_.module.complete = false;
      if (key) add(*key, {}, syntax_.next_sibling(second));
    }
    const bool stars = name.ends_with("__exportStar") || name == "__export";
    if (const auto from = stars ? locals_.required(first) : std::nullopt) {
      found_ = true;
      out_.stars.push_back(*from);
    }
  }

  /// `exports` and `module` handed to somebody, who may do anything with it, or given another name:
  /// `const api = module.exports = {}`.
  void take_loose(Index i) {
    const std::string_view name = syntax_.text_of(i);
    if (name != "exports" && name != "module") return;
    Index node = i;
    if (name == "module" && is_exports(syntax_.at(i).parent)) node = syntax_.at(i).parent;
    if (is_exports(node) && is_renamed(node)) out_.module.complete = false;
    if (syntax_.parent_kind(node) != Kind::arguments) return;
    const std::string_view called = locals_.callee(syntax_.at(syntax_.at(node).parent).parent);
    if (called != "Object.defineProperty" && !called.ends_with("__exportStar")) {
      out_.module.complete = false;
    }
  }

  [[nodiscard]] bool is_renamed(Index node) const {
    Index up = syntax_.at(node).parent;
    while (locals_.kind(up) == Kind::assignment_expression) {
      const Index left = syntax_.child(up, Field::left);
      if (left != node && !is_exports(left)) return true;
      node = up;
      up = syntax_.at(up).parent;
    }
    return locals_.kind(up) == Kind::variable_declarator;
  }

  void add(const std::string& name, const Export& what, Index node) {
    if (name.empty() || name == "__esModule") return;
    merge(out_.module.names[name], what);
    if (node != kNone) out_.places.push_back({name, node});
  }
  /// What the name that `node` is stands for in this file.
  void add_local(const std::string& as, Index node) {
    const std::string name = locals_.word(node);
    if (const Import* import = locals_.import(name)) {
      out_.forwards.push_back({as, import->original, import->from});
    } else {
      add(as, locals_.of_name(name), node);
    }
  }

  void finish() {
    Module& module = out_.module;
    if (syntax_.broken()) module.complete = false;
    if (module.style == Style::declarations) {
      // Everything at the top of a file without exports is for all to see; who knows for what.
      if (!is_module_) module.complete = false;
    } else if (is_module_) {
      module.style = Style::esm;
    } else if (!found_) {
      module.complete = false;
    }
  }

  const Syntax& syntax_;
  Locals locals_;
  FileNames out_;
  bool is_module_ = false;
  bool found_ = false;  // some export in the way of CommonJS
};

}  // namespace

FileNames names_in(const Syntax& syntax, bool declarations) {
  return Reader(syntax, declarations).run();
}

}  // namespace cg::exports
