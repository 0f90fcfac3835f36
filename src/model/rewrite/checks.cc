// An assertion is kept if its statement is still there, word for word, means the same function,
// and is reached in the same way: inside the same functions, conditions and loops, behind as
// many statements that leave. Whoever wants to weaken one has to change one of these.
#include "model/rewrite/checks.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "base/base/text.h"
#include "model/rewrite/phrase.h"

namespace cg::rewrite {

namespace {

constexpr int kMaxWay = 256;  // nodes around a statement that are looked at

/// Words of a name: assertEqual, chai.expect, x.should.be.
constexpr std::string_view kAssertions[] = {"assert", "asserts",   "expect", "expects", "should",
                                            "must",   "invariant", "ensure", "verify"};
/// These only by themselves: it.next() and /x/.test(y) are something else.
constexpr std::string_view kSuites[] = {"describe", "it",      "test", "suite",
                                        "specify",  "context", "bench"};
constexpr std::string_view kSuiteWays[] = {"only",   "skip", "each",    "concurrent",
                                           "serial", "todo", "failing", "skipIf"};

/// In comments, and small: who reads these looks for nothing else.
constexpr std::string_view kOrders[] = {
    "@",       "eslint",   "tslint",     "jshint",  "jslint",           "istanbul",
    "-ignore", "-disable", "<reference", "webpack", "sourcemappingurl", "sourceurl",
    "$flow",   "nosonar",  "nosec",      "nolint",  "noinspection",     "#__"};
/// Likewise, at the beginning of a comment.
constexpr std::string_view kFirstOrders[] = {
    "c8 ", "v8 ", "nyc ", "ignore", "disable", "global ", "globals ", "exported ", "pragma"};

/// The comment without the signs that make it one.
std::string_view words_of_comment(std::string_view text) {
  const std::size_t first = text.find_first_not_of("/*!# \t");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

bool is_order(std::string_view comment) {
  const std::string_view words = words_of_comment(comment);
  const auto within = [&](std::string_view order) {
    return comment.find(order) != std::string_view::npos;
  };
  const auto first = [&](std::string_view order) { return words.starts_with(order); };
  return std::any_of(std::begin(kOrders), std::end(kOrders), within) ||
         std::any_of(std::begin(kFirstOrders), std::end(kFirstOrders), first);
}

template <std::size_t N>
bool is_one_of(std::string_view text, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), text) != std::end(words);
}

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

/// assertEqual, deep_assert, x.should: the words between dots, lines and capitals.
bool has_assertion_word(std::string_view name) {
  std::string word;
  for (std::size_t i = 0; i <= name.size(); ++i) {
    const bool end = i == name.size();
    const bool letter = !end && ((name[i] >= 'a' && name[i] <= 'z') || is_upper(name[i]));
    if (!letter || is_upper(name[i])) {
      if (is_one_of(lower_ascii(word), kAssertions)) return true;
      word.clear();
    }
    if (letter) word += name[i];
  }
  return false;
}

bool leaves(Kind kind) {
  return kind == Kind::return_statement || kind == Kind::throw_statement ||
         kind == Kind::break_statement || kind == Kind::continue_statement;
}

bool is_statement(Kind kind) {
  return kind == Kind::expression_statement || kind == Kind::return_statement ||
         kind == Kind::throw_statement || kind == Kind::lexical_declaration ||
         kind == Kind::variable_declaration || kind == Kind::if_statement ||
         kind == Kind::while_statement || kind == Kind::do_statement ||
         kind == Kind::for_statement || kind == Kind::for_in_statement ||
         kind == Kind::switch_statement || kind == Kind::export_statement;
}

class Checks {
 public:
  Checks(const File& file, const Origins& origins, Work& work)
      : file_(file), origins_(origins), work_(work) {
    count_leaving();
  }

  Items run() {
    for (Index i = 1; i < file_.syntax.nodes().size(); ++i) look_at(i);
    return std::move(out_);
  }

 private:
  void look_at(Index i) {
    switch (file_.kind(i)) {
      case Kind::call_expression:
      case Kind::new_expression:
        return look_at_call(i);
      case Kind::throw_statement:
        return look_at_throw(i);
      case Kind::comment:
        return look_at_comment(i);
      case Kind::hash_bang_line:
        return add(Breach::silenced_checks, Item::Rule::known,
                   "run by " + plain_text(file_, i, work_), i);
      case Kind::string:
        return look_at_directive(i);
      case Kind::predefined_type:
        if (file_.syntax.text_of(i) == "any") silence("any", i);
        return;
      case Kind::as_expression:
      case Kind::type_assertion:
        return look_at_cast(i);
      case Kind::ambient_declaration:
        return add(Breach::silenced_checks, Item::Rule::known,
                   "declared " + plain_text(file_, i, work_), i);
      case Kind::satisfies_expression:
      case Kind::asserts_annotation:
      case Kind::type_predicate_annotation:
        return add(Breach::silenced_checks, Item::Rule::kept, "type check", i);
      default:
        return;
    }
  }

  void silence(std::string what, Index i) {
    add(Breach::silenced_checks, Item::Rule::counted, std::move(what), i);
  }
  void add(Breach breach, Item::Rule rule, std::string key, Index i) {
    out_.push_back({breach, rule, std::move(key), file_.syntax.at(i).begin, {}});
  }

  void look_at_call(Index call) {
    const bool is_new = file_.kind(call) == Kind::new_expression;
    const Index callee = file_.syntax.child(call, is_new ? Field::builder : Field::function);
    if (callee == kNone || origins_.is_of_package(call)) return;
    const auto path = origins_.path_of(callee);
    // By the name it has here, and by the one that it has where it comes from.
    const bool is_assertion =
        has_assertion_word(callee_name(callee)) || (path && has_assertion_word(*path));
    if (!is_assertion && !is_suite(callee)) return;
    const Index statement = statement_of(call);
    add(Breach::changed_check, Item::Rule::kept,
        plain_text(file_, statement, work_) + " as " + (path ? *path : own(callee)) +
            way_to(statement),
        call);
  }

  [[nodiscard]] bool is_suite(Index callee) const {
    if (file_.kind(callee) == Kind::member_expression) {
      const Index way = file_.syntax.child(callee, Field::property);
      if (!is_one_of(file_.syntax.text_of(way), kSuiteWays)) return false;
      callee = file_.syntax.child(callee, Field::object);
    }
    return file_.kind(callee) == Kind::identifier &&
           is_one_of(file_.syntax.text_of(callee), kSuites);
  }

  /// The statement around an expression; the condition of one, or what a function gives.
  [[nodiscard]] Index statement_of(Index i) const {
    while (file_.parent(i) != 0 && !is_statement(file_.kind(i)) &&
           file_.syntax.at(i).field != Field::condition &&
           !syntax::is_function(file_.kind(file_.parent(i)))) {
      i = file_.parent(i);
    }
    return i;
  }

  /// a.b.c without what is in parentheses.
  [[nodiscard]] std::string callee_name(Index callee) const {
    std::string out;
    while (callee != kNone) {
      const Kind kind = file_.kind(callee);
      if (kind == Kind::member_expression) {
        out += "." + std::string(file_.syntax.text_of(file_.syntax.child(callee, Field::property)));
        callee = file_.syntax.child(callee, Field::object);
      } else if (kind == Kind::subscript_expression) {
        out += "." + file_.syntax.constant(file_.syntax.child(callee, Field::index)).value_or("");
        callee = file_.syntax.child(callee, Field::object);
      } else if (kind == Kind::call_expression) {
        callee = file_.syntax.child(callee, Field::function);
      } else if (is_wrapper(kind)) {
        callee = file_.syntax.first_child(callee);
      } else {
        if (kind == Kind::identifier) out += "." + std::string(file_.syntax.text_of(callee));
        break;
      }
    }
    return out;
  }

  /// A function of the file: all of its declaration.
  [[nodiscard]] std::string own(Index callee) const {
    if (file_.kind(callee) != Kind::identifier) return "own";
    const Index binding = file_.binding_of(callee);
    if (binding == kNone) return "own";
    return plain_text(file_, file_.parent(file_.scopes.bindings()[binding].name), work_);
  }

  /// `throw error` only hands on.
  void look_at_throw(Index statement) {
    const Index value = file_.syntax.first_child(statement);
    if (file_.kind(value) == Kind::identifier) return;
    add(Breach::changed_check, Item::Rule::kept,
        phrase_of(file_, origins_, statement, work_) + way_to(statement), statement);
  }

  /// All that decides whether the statement is reached.
  [[nodiscard]] std::string way_to(Index statement) {
    std::string out = " after " + std::to_string(left_before_[statement]);
    int steps = 0;
    for (Index i = file_.parent(statement); i != kNone; i = file_.parent(i)) {
      if (++steps > kMaxWay || work_.over()) break;
      const auto [known, is_new] = steps_.try_emplace(i);
      if (is_new) known->second = step(i);
      out += known->second;
    }
    work_.spend(out.size());
    return out;
  }

  [[nodiscard]] std::string step(Index i) const {
    switch (file_.kind(i)) {
      case Kind::if_statement:
      case Kind::while_statement:
      case Kind::do_statement:
      case Kind::ternary_expression: {
        const Index condition = file_.syntax.child(i, Field::condition);
        if (condition == kNone) return " if";
        return " if " + phrase_of(file_, origins_, condition, work_);
      }
      case Kind::else_clause:
        return " else";
      case Kind::binary_expression:
        return " with " + phrase_of(file_, origins_, file_.syntax.first_child(i), work_);
      case Kind::for_statement:
      case Kind::for_in_statement: {
        const Index body = file_.syntax.child(i, Field::body);
        const std::uint32_t begin = file_.syntax.at(i).begin;
        const std::uint32_t end = body == kNone ? begin : file_.syntax.at(body).begin;
        return " for " + std::string(file_.syntax.text().substr(begin, end - begin));
      }
      case Kind::switch_case: {
        const Index value = file_.syntax.child(i, Field::value);
        return value == kNone ? " case" : " case " + plain_text(file_, value, work_);
      }
      case Kind::switch_default:
        return " default";
      case Kind::switch_statement:
        return " switch " + phrase_of(file_, origins_, file_.syntax.first_child(i), work_);
      case Kind::try_statement:
        return " try";
      case Kind::catch_clause:
        return " catch";
      case Kind::finally_clause:
        return " finally";
      default:
        if (!syntax::is_function(file_.kind(i))) return "";
        const Index name = file_.syntax.child(i, Field::name);
        return " in " + (name == kNone ? "" : std::string(file_.syntax.text_of(name)));
    }
  }

  /// For every node: the statements of the same function that leave it, or a loop of it,
  /// before this one.
  void count_leaving() {
    const auto& nodes = file_.syntax.nodes();
    std::vector<Index> home(nodes.size(), 0);  // the function that a node is in
    std::vector<std::uint32_t> left(nodes.size(), 0);
    left_before_.assign(nodes.size(), 0);
    for (Index i = 1; i < nodes.size(); ++i) {
      const Index parent = nodes[i].parent;
      home[i] = syntax::is_function(nodes[parent].kind) ? parent : home[parent];
      left_before_[i] = left[home[i]];
      if (leaves(nodes[i].kind)) ++left[home[i]];
    }
  }

  void look_at_comment(Index i) {
    const std::string text = lower_ascii(file_.syntax.text_of(i));
    if (!is_order(text)) return;
    // These may not go, and the others may not come.
    if (text.find("@ts-check") != std::string::npos || text.find("enable") != std::string::npos) {
      add(Breach::silenced_checks, Item::Rule::kept, std::string(words_of_comment(text)), i);
    }
    silence(std::string(words_of_comment(text)), i);
  }

  /// 'use strict' and its like, where they count: before everything else.
  void look_at_directive(Index i) {
    const Index statement = file_.parent(i);
    if (file_.kind(statement) != Kind::expression_statement) return;
    const std::string text = file_.syntax.constant(i).value_or("");
    add(Breach::silenced_checks, Item::Rule::kept, "directive " + text, i);
    add(Breach::silenced_checks, Item::Rule::counted, "directive " + text, i);
  }

  /// `x as never` fits everywhere.
  void look_at_cast(Index cast) {
    for (Index i = cast + 1; i < file_.syntax.at(cast).after && !work_.over(); ++i) {
      work_.spend(1);
      if (file_.kind(i) != Kind::predefined_type || !file_.erased[i]) continue;
      const std::string_view type = file_.syntax.text_of(i);
      if (type == "unknown" || type == "never") silence("cast " + std::string(type), cast);
    }
  }

  const File& file_;
  const Origins& origins_;
  Work& work_;
  std::vector<std::uint32_t> left_before_;        // by node
  std::unordered_map<Index, std::string> steps_;  // by node, of those that ways lead through
  Items out_;
};

}  // namespace

Items check_items(const File& file, const Origins& origins, Work& work) {
  return Checks(file, origins, work).run();
}

}  // namespace cg::rewrite
