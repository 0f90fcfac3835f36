#include "model/rewrite/given.h"

namespace cg::rewrite {

namespace {

class Notes {
 public:
  explicit Notes(const File& file)
      : file_(file),
        out_{Given::Lists(file.scopes.bindings().size()),
             Given::Lists(file.scopes.bindings().size())} {}

  Given run() {
    for (Index i = 1; i < file_.syntax.nodes().size(); ++i) {
      if (!file_.erased[i]) note_by(i);
    }
    return std::move(out_);
  }

 private:
  void note_by(Index node) {
    const Syntax& syntax = file_.syntax;
    const auto child = [&](Field field) { return syntax.child(node, field); };
    switch (file_.kind(node)) {
      case Kind::assignment_expression:
      case Kind::assignment_pattern:
      case Kind::object_assignment_pattern:
      case Kind::for_in_statement:
        return note_to(child(Field::left), child(Field::right), node);
      case Kind::augmented_assignment_expression:
        return note_to(child(Field::left), node, node);
      case Kind::update_expression:
        return note_to(syntax.first_child(node), node, node);
      case Kind::unary_expression:
        if (syntax.text_of(node).starts_with("delete")) note_done(syntax.first_child(node), node);
        return;
      case Kind::required_parameter:
      case Kind::optional_parameter:
        return note_to(child(Field::pattern), child(Field::value), node);
      case Kind::expression_statement: {
        Index call = syntax.first_child(node);
        while (is_wrapper(file_.kind(call))) call = syntax.first_child(call);
        if (file_.kind(call) != Kind::call_expression) return;
        const Index callee = syntax.child(call, Field::function);
        if (is_chain(file_.kind(callee))) note_done(callee, call);
        return;
      }
      case Kind::variable_declarator:
      case Kind::function_declaration:
      case Kind::generator_function_declaration: {
        // The first one is where the name comes from.
        const Index name = child(Field::name);
        if (file_.kind(name) != Kind::identifier) return;
        const Index binding = file_.binding_of(name);
        if (binding == kNone || file_.scopes.bindings()[binding].name == name) return;
        const Index value = child(Field::value);
        return note_to(name, value == kNone ? node : value, node);
      }
      default:
        return;
    }
  }

  /// `target` is a name or a member of something, or a pattern with such in it.
  void note_to(Index target, Index value, Index whole) {
    if (target == kNone || value == kNone) return;
    for (Index i = target; i < file_.syntax.at(target).after; ++i) {
      const Kind kind = file_.kind(i);
      if (is_chain(kind)) {
        note_done(i, whole);
        i = file_.syntax.at(i).after - 1;
        continue;
      }
      if (kind != Kind::identifier && kind != Kind::shorthand_property_identifier_pattern) continue;
      const Index binding = file_.binding_of(i);
      if (binding != kNone) out_.to[binding].push_back(value);
    }
  }

  /// To a.b.c, so to a.
  void note_done(Index target, Index what) {
    for (int step = 0; step < kMaxChain && target != kNone; ++step) {
      const Kind kind = file_.kind(target);
      if (kind == Kind::identifier) {
        const Index binding = file_.binding_of(target);
        if (binding != kNone) out_.done[binding].push_back(what);
        return;
      }
      if (is_chain(kind)) {
        target = file_.syntax.child(target, Field::object);
      } else if (kind == Kind::call_expression) {
        target = file_.syntax.child(target, Field::function);
      } else if (is_wrapper(kind)) {
        target = file_.syntax.first_child(target);
      } else {
        return;
      }
    }
  }

  const File& file_;
  Given out_;
};

}  // namespace

Given given_in(const File& file) { return Notes(file).run(); }

}  // namespace cg::rewrite
