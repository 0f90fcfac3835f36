#include "model/rewrite/outside.h"

#include <algorithm>
#include <iterator>

#include "model/rewrite/phrase.h"
#include "model/rewrite/reaching.h"

namespace cg::rewrite {

namespace {

enum class How { value, bound, call, write };

std::string_view word_of(How how) {
  constexpr std::string_view kHows[] = {"value ", "bound ", "call ", "write "};
  return kHows[static_cast<std::size_t>(how)];
}

/// What makes code of text, or modules of text.
bool is_dynamic(std::string_view path) {
  for (const std::string_view root : {"eval", "Function", "require", "import()", "execScript"}) {
    if (path == root || (path.starts_with(root) && path[root.size()] == '.')) return true;
  }
  return false;
}

class Collector {
 public:
  Collector(const File& file, const Origins& origins, std::string_view package, Work& work)
      : file_(file), origins_(origins), package_(package), work_(work), reaching_(file, origins) {}

  Items run() {
    for (Index i = 1; i < file_.syntax.nodes().size(); ++i) {
      if (!file_.erased[i]) look_at(i);
    }
    return std::move(out_);
  }

 private:
  void look_at(Index i) {
    switch (file_.kind(i)) {
      case Kind::identifier:
      case Kind::shorthand_property_identifier:
      case Kind::shorthand_property_identifier_pattern:
        if (!is_reference(i)) return;
        add_own_name(i);
        return add_use(i);
      case Kind::member_expression:
      case Kind::subscript_expression:
        return add_own_method(i);
      case Kind::meta_property:
      case Kind::this_expression:
        return add_use(i);
      case Kind::call_expression:
        if (origins_.module_of(i)) return add_use(i);
        add_own_step(i);
        if (file_.kind(file_.syntax.child(i, Field::function)) == Kind::import) {
          add(How::call, "import()", i);
          add_call("import()", i);
        }
        return;
      case Kind::import_statement:
      case Kind::export_statement:
        return add_statement(i);
      case Kind::variable_declarator:
        return add_pattern(i);
      default:
        return;
    }
  }

  [[nodiscard]] bool is_reference(Index i) const {
    if (file_.scopes.is_declaration(i)) return false;
    const Index parent = file_.parent(i);
    const Field field = file_.syntax.at(i).field;
    switch (file_.kind(parent)) {
      case Kind::import_specifier:
      case Kind::import_clause:
      case Kind::namespace_import:
      case Kind::import_require_clause:
      case Kind::namespace_export:
      case Kind::jsx_closing_element:
        return false;
      case Kind::class_expression:
        return field != Field::name;
      case Kind::export_specifier: {
        const Index statement = file_.parent(file_.parent(parent));
        const bool elsewhere = file_.syntax.child(statement, Field::source) != kNone;
        return field != Field::alias && !elsewhere;
      }
      case Kind::call_expression:  // require('x') is judged as the module x
        return field != Field::function || !origins_.module_of(parent);
      default:
        return true;
    }
  }

  /// The whole of a.b.c, whose bottom is `node`.
  [[nodiscard]] Index top_of(Index node) const {
    for (Index parent = file_.parent(node); parent != kNone; parent = file_.parent(node)) {
      const Kind kind = file_.kind(parent);
      const bool object = file_.syntax.at(node).field == Field::object;
      const bool chain =
          object && (kind == Kind::member_expression || kind == Kind::subscript_expression);
      const bool last =
          kind == Kind::sequence_expression && file_.syntax.next_sibling(node) == kNone;
      if (!chain && !last && !is_wrapper(kind)) break;
      node = parent;
    }
    return node;
  }

  [[nodiscard]] How how_used(Index top) const {
    const Index parent = file_.parent(top);
    const Field field = file_.syntax.at(top).field;
    const Kind kind = file_.kind(parent);
    if (kind == Kind::call_expression && field == Field::function) return How::call;
    if (kind == Kind::new_expression && field == Field::builder) return How::call;
    const bool left = field == Field::left;
    if (left && (kind == Kind::assignment_expression || kind == Kind::for_in_statement ||
                 kind == Kind::augmented_assignment_expression)) {
      return How::write;
    }
    if (kind == Kind::update_expression) return How::write;
    if (kind == Kind::unary_expression && file_.syntax.text_of(parent).starts_with("delete")) {
      return How::write;
    }
    if (is_pattern(kind) && field != Field::right && field != Field::key) return How::write;
    if (file_.kind(top) == Kind::shorthand_property_identifier_pattern) return How::write;
    const bool bound = kind == Kind::variable_declarator && field == Field::value;
    return bound ? How::bound : How::value;
  }

  void add_use(Index i) {
    if (!origins_.path_of(i)) return;
    const Index top = top_of(i);
    const auto path = origins_.path_of(top);
    if (!path) return;
    const How how = how_used(top);
    add(how, *path, top);
    if (how == How::write) return add_write(*path, top);
    const Index parent = file_.parent(top);
    if (how == How::call && !origins_.is_package_path(*path) && !is_harmless(*path)) {
      add_call(*path, parent);
    }
  }

  /// What is called for what it does, and not for what it gives, stays: a step that is left out is
  /// seen by no test that does not look for it.
  void add_step(const std::string& what, Index call) {
    Index around = file_.parent(call);
    while (is_wrapper(file_.kind(around))) around = file_.parent(around);
    const bool stays = file_.kind(around) == Kind::expression_statement;
    out_.push_back({Breach::other_call,
                    stays ? Item::Rule::kept : Item::Rule::spare,
                    "done " + what,
                    file_.syntax.at(call).begin,
                    {}});
  }

  void add_own_step(Index call) {
    const Index callee = file_.syntax.child(call, Field::function);
    if (file_.kind(callee) != Kind::identifier || reaching_.own_function(callee) == kNone) return;
    add_step("own " + std::string(file_.syntax.text_of(callee)), call);
  }

  // Functions of the file that reach outside: whoever can call them reaches it too.

  /// A use of one, by name or as a method.
  void add_own(const std::string& name, Index top) {
    const How how = how_used(top);
    out_.push_back({Breach::other_call,
                    Item::Rule::known,
                    std::string(word_of(how)) + name + (how == How::value ? place_of(top) : ""),
                    file_.syntax.at(top).begin,
                    {}});
    if (how == How::call) add_given(name, file_.parent(top));
  }

  /// Who gets a value: a call with all that it is given, or what it becomes a part of.
  [[nodiscard]] std::string place_of(Index value) {
    const Index around = file_.parent(value);
    if (file_.kind(around) != Kind::arguments) {
      return " in " + std::to_string(static_cast<unsigned>(file_.kind(around)));
    }
    const Index callee = file_.syntax.child(file_.parent(around), Field::function);
    const std::string called = callee == kNone ? "new" : plain_text(file_, callee, work_);
    return " for " + called + phrase_of(file_, origins_, around, work_);
  }

  void add_own_name(Index name) {
    if (!reaching_.is_reaching(name)) return;
    const Index top = top_of(name);
    const std::string members = top == name ? "" : " " + plain_text(file_, top, work_);
    add_own("own " + std::string(file_.syntax.text_of(name)) + members, top);
  }

  void add_own_method(Index chain) {
    const std::string name = reaching_.method_of(chain);
    if (name.empty() || origins_.path_of(chain) || origins_.is_of_package(chain)) return;
    Index top = chain;
    while (is_wrapper(file_.kind(file_.parent(top)))) top = file_.parent(top);
    add_own("method " + name, top);
  }

  void add_call(const std::string& path, Index call) {
    add_step(path, call);
    add_given(path, call);
  }

  /// With what it is called.
  void add_given(const std::string& path, Index call) {
    const Index given = file_.syntax.child(call, Field::arguments);
    const std::string phrase = given == kNone ? "" : phrase_of(file_, origins_, given, work_);
    out_.push_back({is_dynamic(path) ? Breach::dynamic_code : Breach::other_call,
                    Item::Rule::known,
                    "given " + path + " " + phrase,
                    file_.syntax.at(call).begin,
                    {}});
  }

  /// And what is written.
  void add_write(const std::string& path, Index target) {
    Index i = target;
    while (file_.kind(i) == Kind::member_expression || is_pattern(file_.kind(i)) || i == target) {
      i = file_.parent(i);
    }
    const Index right = file_.syntax.child(i, Field::right);
    const std::string phrase = right == kNone ? "" : phrase_of(file_, origins_, right, work_);
    out_.push_back({Breach::outside_write,
                    Item::Rule::known,
                    "written " + path + " " + phrase,
                    file_.syntax.at(target).begin,
                    {}});
  }

  void add_statement(Index statement) {
    Index source = kNone;
    for (Index i = statement + 1; i < file_.syntax.at(statement).after; ++i) {
      if (file_.syntax.at(i).field == Field::source) source = i;
    }
    if (source == kNone) return;
    const std::string path = module_path(file_.syntax.constant(source).value_or("?"));
    add(How::bound, path, statement);
    for (Index i = statement + 1; i < file_.syntax.at(statement).after; ++i) {
      const Kind kind = file_.kind(i);
      if (kind == Kind::import_specifier || kind == Kind::export_specifier) {
        const Index name = file_.syntax.child(i, Field::name);
        if (name != kNone) add(How::bound, path + "." + word(name), i);
      } else if (kind == Kind::identifier && file_.kind(file_.parent(i)) == Kind::import_clause) {
        add(How::bound, path + ".default", i);
      }
    }
  }

  /// const { a, b: c } = x
  void add_pattern(Index declarator) {
    const Index name = file_.syntax.child(declarator, Field::name);
    const Index value = file_.syntax.child(declarator, Field::value);
    if (file_.kind(name) != Kind::object_pattern || value == kNone) return;
    const auto path = origins_.path_of(value);
    if (!path) return;
    for (const PatternPart& part : parts_of(file_, name)) {
      add(How::bound, *path + "." + (part.key.empty() ? "*" : part.key), part.name);
    }
  }

  [[nodiscard]] std::string word(Index node) const {
    return file_.syntax.constant(node).value_or(std::string(file_.syntax.text_of(node)));
  }

  void add(How how, const std::string& path, Index node) {
    // What stands in the environment is not for more places than it was.
    const bool secret = path.starts_with("process.env.") && how != How::write;
    Item item{breach_of(how, path),
              secret ? Item::Rule::counted : Item::Rule::known,
              std::string(word_of(how)) + path,
              file_.syntax.at(node).begin,
              {}};
    if (how != How::write && origins_.is_package_path(path)) item.reached = reached(path);
    out_.push_back(std::move(item));
  }

  [[nodiscard]] Breach breach_of(How how, std::string_view path) const {
    if (how == How::write) return Breach::outside_write;
    if (is_dynamic(path)) return Breach::dynamic_code;
    return path.starts_with('\'') ? Breach::new_import : Breach::new_global;
  }

  [[nodiscard]] Item::Reached reached(const std::string& path) const {
    const std::size_t quote = path.find('\'', 1);
    std::string subpath = path.substr(1 + package_.size(), quote - 1 - package_.size());
    if (subpath.starts_with('/')) subpath.erase(0, 1);
    std::string member = quote + 1 < path.size() ? path.substr(quote + 2) : "";
    member.resize(std::min(member.find('.'), member.size()));
    return {std::move(subpath), std::move(member)};
  }

  const File& file_;
  const Origins& origins_;
  std::string_view package_;
  Work& work_;
  Reaching reaching_;
  Items out_;
};

}  // namespace

Items outside_items(const File& file, const Origins& origins, std::string_view package,
                    Work& work) {
  return Collector(file, origins, package, work).run();
}

}  // namespace cg::rewrite
