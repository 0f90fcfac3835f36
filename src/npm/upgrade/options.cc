// Options: what a function reads from a parameter that is called `options` or alike.
//
// The parameter is looked for by its word in the body, shadowing is not minded: what is listed
// is a hint for a reader. It is followed where it is handed on by its name, through `this.options`
// of the class, and through `options = merge(defaults, options)`, kMaxHanded deep.
#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <set>
#include <tuple>

#include "base/base/text.h"
#include "npm/syntax/scopes.h"
#include "npm/upgrade/head.h"
#include "npm/upgrade/told.h"

namespace cg::upgrade {

using syntax::Field;
using syntax::Index;
using syntax::Kind;
using syntax::kNone;
using syntax::Syntax;

namespace {

constexpr int kMaxHanded = 4;
constexpr std::size_t kMaxRead = 60'000;  // nodes for one function and what it hands on to
constexpr std::size_t kMaxOptions = 60;

bool is_for_options(std::string_view name) {
  const std::string low = lower_ascii(name);
  return low.starts_with("opt") || low.find("options") != std::string::npos ||
         low.find("config") != std::string::npos || low.ends_with("opts") ||
         low.find("settings") != std::string::npos;
}

/// What every object and array has.
bool is_usual(std::string_view name) {
  static constexpr std::array<std::string_view, 8> kUsual = {
      "length", "hasOwnProperty", "toString", "constructor", "prototype", "call", "apply", "bind"};
  return name.empty() || name.starts_with('_') ||
         std::find(kUsual.begin(), kUsual.end(), name) != kUsual.end();
}

struct Task {
  Place function;
  std::string name;  // of the parameter in it
  int depth = 0;
  friend auto operator<=>(const Task& a, const Task& b) {
    return std::tie(a.function, a.name) <=> std::tie(b.function, b.name);
  }
  friend bool operator==(const Task&, const Task&) = default;
};

class OptionReader {
 public:
  explicit OptionReader(Finder& finder) : finder_(finder) {}

  std::vector<std::string> run(const Place& function) {
    for (const std::string& name : parameters_of(function)) {
      if (is_for_options(name)) add_task({function, name, 0});
    }
    while (!open_.empty() && read_ < kMaxRead) {
      const Task task = open_.front();
      open_.pop_front();
      read(task);
    }
    return std::move(out_);
  }

 private:
  void add_task(Task task) {
    if (task.depth <= kMaxHanded && known_.insert(task).second) open_.push_back(std::move(task));
  }

  /// Names, "" for those that are taken apart.
  [[nodiscard]] static std::vector<std::string> parameters_of(const Place& function) {
    std::vector<std::string> out;
    const Syntax& syntax = function.source->syntax();
    const Index list = syntax.child(function.node, Field::parameters);
    for (Index c = list == kNone ? kNone : syntax.first_child(list); c != kNone;
         c = syntax.next_sibling(c)) {
      if (syntax.at(c).kind == Kind::comment) continue;
      const Index left = syntax.child(c, Field::left);
      const Index name = left == kNone ? c : left;
      const bool plain = syntax.at(name).kind == Kind::identifier;
      out.emplace_back(plain ? syntax.text_of(name) : std::string_view());
    }
    return out;
  }

  void add(std::string name) {
    if (is_usual(name) || name.size() > 60 || out_.size() >= kMaxOptions) return;
    if (std::find(out_.begin(), out_.end(), name) == out_.end()) out_.push_back(std::move(name));
  }

  void add_pattern(const Source& source, Index pattern) {
    const Syntax& syntax = source.syntax();
    for (Index c = syntax.first_child(pattern); c != kNone; c = syntax.next_sibling(c)) {
      Index key = syntax.child(c, Field::key);
      if (key == kNone) key = syntax.child(c, Field::left);
      if (key == kNone) key = c;
      const Kind kind = syntax.at(key).kind;
      if (kind != Kind::rest_pattern && kind != Kind::comment) add(source.locals().word(key));
    }
  }

  void read(const Task& task) {
    const Source& source = *task.function.source;
    const Syntax& syntax = source.syntax();
    for (Index i = task.function.node + 1; i < syntax.at(task.function.node).after; ++i) {
      if (++read_ > kMaxRead) return;
      switch (syntax.at(i).kind) {
        case Kind::member_expression:
          if (is(source, syntax.child(i, Field::object), task.name)) {
            add(source.locals().word(syntax.child(i, Field::property)));
          }
          break;
        case Kind::subscript_expression:
          if (is(source, syntax.child(i, Field::object), task.name)) {
            add(syntax.constant(syntax.child(i, Field::index)).value_or(""));
          }
          break;
        case Kind::variable_declarator:
          read_given(task, syntax.child(i, Field::name), syntax.child(i, Field::value));
          break;
        case Kind::assignment_expression:
          read_given(task, syntax.child(i, Field::left), syntax.child(i, Field::right));
          break;
        case Kind::call_expression:
        case Kind::new_expression:
          read_call(task, i);
          break;
        default:
          break;
      }
    }
  }

  [[nodiscard]] static bool is(const Source& source, Index node, std::string_view name) {
    return node != kNone && source.syntax().text_of(node) == name;
  }

  /// `a || {}`, `{ ...a }`, `merge({}, a)` are a.
  [[nodiscard]] static bool stands_for(const Source& source, Index value, std::string_view name) {
    constexpr std::size_t kMaxValue = 400;  // bytes
    const Syntax& syntax = source.syntax();
    if (value == kNone || syntax.text_of(value).size() > kMaxValue) return false;
    const Kind kind = syntax.at(value).kind;
    if (is(source, value, name)) return true;
    if (kind != Kind::binary_expression && kind != Kind::object && kind != Kind::call_expression &&
        kind != Kind::ternary_expression) {
      return false;
    }
    for (Index i = value + 1; i < syntax.at(value).after; ++i) {
      const Kind above = syntax.parent_kind(i);
      const bool handed = above == Kind::arguments || above == Kind::spread_element ||
                          above == Kind::binary_expression || above == Kind::ternary_expression;
      if (handed && is(source, i, name)) return true;
    }
    return false;
  }

  void read_given(const Task& task, Index target, Index value) {
    const Source& source = *task.function.source;
    const Syntax& syntax = source.syntax();
    if (target == kNone || !stands_for(source, value, task.name)) return;
    if (syntax.at(target).kind == Kind::object_pattern) return add_pattern(source, target);
    const std::string_view name = syntax.text_of(target);
    if (!is_for_options(name) || name.size() > 60) return;
    if (syntax.at(target).kind == Kind::identifier) {
      add_task({task.function, std::string(name), task.depth});
    } else if (name.starts_with("this.")) {
      // All methods of the class see it.
      Index all = task.function.node;
      while (all != 0 && !is_class(syntax.at(all).kind)) all = syntax.at(all).parent;
      add_task({{&source, all}, std::string(name), task.depth + 1});
    }
  }

  void read_call(const Task& task, Index call) {
    const Source& source = *task.function.source;
    const Syntax& syntax = source.syntax();
    const Index list = syntax.child(call, Field::arguments);
    std::size_t number = 0;
    for (Index c = list == kNone ? kNone : syntax.first_child(list); c != kNone;
         c = syntax.next_sibling(c)) {
      if (syntax.at(c).kind == Kind::comment) continue;
      if (is(source, c, task.name)) hand_on(task, call, number);
      ++number;
    }
  }

  void hand_on(const Task& task, Index call, std::size_t number) {
    const Source& source = *task.function.source;
    const Syntax& syntax = source.syntax();
    Index callee = syntax.child(call, Field::function);
    if (callee == kNone) callee = syntax.child(call, Field::builder);
    if (callee == kNone) return;
    for (const Place& found : finder_.value({&source, callee})) {
      Place to = unwrapped(found);
      if (to.node == 0 || to.source->typed()) continue;
      if (is_class(kind_at(to))) to = builder_of(to);
      if (to.node == kNone || !is_callable(kind_at(to))) continue;
      const std::vector<std::string> names = parameters_of(to);
      if (number >= names.size()) continue;
      if (!names[number].empty()) add_task({to, names[number], task.depth + 1});
      if (names[number].empty()) add_parameter_pattern(to, number);
    }
  }

  void add_parameter_pattern(const Place& function, std::size_t number) {
    const Syntax& syntax = function.source->syntax();
    const Index list = syntax.child(function.node, Field::parameters);
    for (Index c = syntax.first_child(list); c != kNone; c = syntax.next_sibling(c)) {
      if (syntax.at(c).kind == Kind::comment) continue;
      if (number-- > 0) continue;
      const Index left = syntax.child(c, Field::left);
      const Index pattern = left == kNone ? c : left;
      if (syntax.at(pattern).kind == Kind::object_pattern) add_pattern(*function.source, pattern);
      return;
    }
  }

  [[nodiscard]] static Place builder_of(const Place& type) {
    const Syntax& syntax = type.source->syntax();
    const Index body = syntax.child(type.node, Field::body);
    for (Index c = body == kNone ? kNone : syntax.first_child(body); c != kNone;
         c = syntax.next_sibling(c)) {
      const Index name = syntax.child(c, Field::name);
      if (name != kNone && syntax.text_of(name) == "constructor") return {type.source, c};
    }
    return {type.source, kNone};
  }

  Finder& finder_;
  std::set<Task> known_;
  std::deque<Task> open_;
  std::size_t read_ = 0;
  std::vector<std::string> out_;
};

}  // namespace

std::vector<std::string> options_of(Finder& finder, const Place& function) {
  if (function.node == kNone || function.source->typed() || function.source->minified()) return {};
  const Place place = unwrapped(function);
  if (is_class(kind_at(place))) {
    const Syntax& syntax = place.source->syntax();
    const Index body = syntax.child(place.node, Field::body);
    for (Index c = body == kNone ? kNone : syntax.first_child(body); c != kNone;
         c = syntax.next_sibling(c)) {
      const Index name = syntax.child(c, Field::name);
      if (name != kNone && syntax.text_of(name) == "constructor") {
        return OptionReader(finder).run({place.source, c});
      }
    }
    return {};
  }
  if (!is_callable(kind_at(place))) return {};
  return OptionReader(finder).run(place);
}

}  // namespace cg::upgrade
