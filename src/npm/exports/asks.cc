#include "npm/exports/asks.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "npm/syntax/meaning.h"
#include "npm/syntax/scopes.h"

namespace cg::exports {

using syntax::Field;
using syntax::Index;
using syntax::Kind;
using syntax::kNone;
using syntax::Meaning;
using syntax::Meanings;
using syntax::Scopes;
using syntax::Syntax;

namespace {

constexpr std::size_t kMaxObjectBytes = 400;  // of x in x.name, where x is an expression

/// What every object has, and what compilers look at.
bool is_of_all(std::string_view name) {
  static constexpr std::array<std::string_view, 14> kAll = {
      "__defineGetter__", "__esModule",  "__proto__", "apply",          "bind",          "call",
      "caller",           "constructor", "default",   "hasOwnProperty", "isPrototypeOf", "length",
      "toLocaleString",   "valueOf"};
  return name.empty() || name == "toString" || name == "name" || name == "prototype" ||
         std::find(kAll.begin(), kAll.end(), name) != kAll.end();
}

class AskFinder {
 public:
  AskFinder(const Syntax& syntax, const Scopes& scopes, const Meanings& meanings,
            std::string_view package)
      : syntax_(syntax), scopes_(scopes), meanings_(meanings), package_(package) {
    const std::string_view text = syntax.text();
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') lines_.push_back(static_cast<std::uint32_t>(i));
    }
  }

  std::vector<Ask> run() {
    for (const Index source : meanings_.sources()) add_source(source);
    if (out_.empty()) return {};
    for (const syntax::Asked& asked : meanings_.asked()) add_asked(asked);
    for (Index i = 1; i < syntax_.nodes().size(); ++i) {
      const Kind kind = syntax_.at(i).kind;
      if (kind == Kind::member_expression || kind == Kind::subscript_expression) add_member(i);
    }
    finish();
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::size_t line_of(Index node) const {
    const auto after = std::upper_bound(lines_.begin(), lines_.end(), syntax_.at(node).begin);
    return 1 + static_cast<std::size_t>(after - lines_.begin());
  }

  /// The call that a string is the first argument of; kNone in a statement.
  [[nodiscard]] Index call_of(Index source) const {
    return syntax_.parent_kind(source) == Kind::arguments
               ? syntax_.at(syntax_.at(source).parent).parent
               : kNone;
  }

  void add_source(Index source) {
    const Index call = call_of(source);
    const bool called = call != kNone;
    const Index callee = called ? syntax_.child(call, Field::function) : kNone;
    const bool imports = called ? syntax_.at(callee).kind == Kind::import
                                : syntax_.parent_kind(source) != Kind::import_require_clause;
    if (called && (is_optional(call) || (!imports && is_own_require(callee)))) return;
    Ask ask;
    const std::string_view path = meanings_.word_of(source).substr(package_.size());
    ask.path = path.empty() ? path : path.substr(1);
    ask.way = imports ? Way::import : Way::require;
    ask.line = line_of(source);
    const Index ours = static_cast<Index>(out_.size());
    asks_[source] = ours;
    out_.push_back(std::move(ask));
    if (!called) add_default(syntax_.at(source).parent, ours);
  }

  /// `import x from`
  void add_default(Index statement, Index ask) {
    for (Index i = statement + 1; i < syntax_.at(statement).after; ++i) {
      if (syntax_.at(i).kind == Kind::identifier && syntax_.parent_kind(i) == Kind::import_clause) {
        out_[ask].wanted.push_back({"default", line_of(i), true, false});
      }
    }
  }

  /// In `try` that has a `catch`, in the same function; or a promise whose failure is handled.
  [[nodiscard]] bool is_optional(Index call) const {
    Index node = call;
    for (Index up = syntax_.at(node).parent; up != kNone; node = up, up = syntax_.at(up).parent) {
      const Kind kind = syntax_.at(up).kind;
      if (syntax::is_function(kind)) return false;
      if (kind == Kind::member_expression && syntax_.at(node).field == Field::object &&
          meanings_.word_of(syntax_.child(up, Field::property)) == "catch") {
        return true;
      }
      if (kind != Kind::try_statement || syntax_.at(node).field != Field::body) continue;
      for (Index c = syntax_.first_child(up); c != kNone; c = syntax_.next_sibling(c)) {
        if (syntax_.at(c).kind == Kind::catch_clause) return true;
      }
    }
    return false;
  }

  [[nodiscard]] bool is_own_require(Index callee) const {
    const Index binding = scopes_.resolve(callee, "require");
    if (binding == kNone) return false;
    const Index declared = syntax_.at(scopes_.bindings()[binding].name).parent;
    const Index value = declared == kNone ? kNone : syntax_.child(declared, Field::value);
    return value == kNone || syntax_.text_of(value).find("createRequire") == std::string_view::npos;
  }

  struct Use {
    Index ask;
    Wanted wanted;
    bool tested = false;
  };

  void add_asked(const syntax::Asked& asked) {
    const auto ask = asks_.find(asked.of.source);
    if (ask == asks_.end()) return;
    const Kind kind = syntax_.at(asked.at).kind;
    const bool linked = kind == Kind::import_specifier || kind == Kind::export_specifier;
    const Index value = kind == Kind::pair_pattern ? syntax_.child(asked.at, Field::value) : kNone;
    const bool has_default = kind == Kind::object_assignment_pattern ||
                             (value != kNone && syntax_.at(value).kind == Kind::assignment_pattern);
    if (linked || !is_of_all(asked.name)) {
      uses_.push_back({ask->second,
                       {std::string(asked.name), line_of(asked.at), linked, asked.of.by_default},
                       has_default});
    }
  }

  /// The x of x.name, if it may stand for a package.
  [[nodiscard]] bool may_be_package(Index object) const {
    const syntax::Node& node = syntax_.at(object);
    if (node.kind == Kind::identifier) return true;
    if (node.end - node.begin > kMaxObjectBytes) return false;
    return node.kind == Kind::call_expression || node.kind == Kind::parenthesized_expression ||
           node.kind == Kind::member_expression;
  }

  void add_member(Index member) {
    const Index object = syntax_.child(member, Field::object);
    if (object == kNone || !may_be_package(object)) return;
    const Meaning meaning = meanings_.of(object);
    if (meaning.kind != Meaning::Kind::whole) return;
    const auto ask = asks_.find(meaning.source);
    if (ask == asks_.end()) return;
    const Index index = syntax_.child(member, Field::index);
    const Index key = index == kNone ? syntax_.child(member, Field::property) : index;
    if (key == kNone || (index != kNone && syntax_.at(index).kind != Kind::string)) return;
    const std::string_view name = meanings_.word_of(key);
    if (is_of_all(name)) return;
    uses_.push_back({ask->second,
                     {std::string(name), line_of(key), false, meaning.by_default},
                     is_tested(member)});
  }

  /// Looked at before it is used, or set: who does so can do without.
  [[nodiscard]] bool is_tested(Index member) const {
    if (syntax_.text().substr(syntax_.at(member).end, 2) == "?.") return true;
    Index node = member;
    Index up = syntax_.at(node).parent;
    while (up != kNone && syntax_.at(up).kind == Kind::parenthesized_expression) {
      node = up;
      up = syntax_.at(up).parent;
    }
    if (up == kNone) return false;
    switch (syntax_.at(up).kind) {
      case Kind::unary_expression:
      case Kind::binary_expression:
      case Kind::if_statement:
      case Kind::while_statement:
      case Kind::do_statement:
        return true;
      case Kind::ternary_expression:
        return syntax_.at(node).field == Field::condition;
      case Kind::assignment_expression:
      case Kind::augmented_assignment_expression:
        return syntax_.at(node).field == Field::left;
      default:
        return false;
    }
  }

  void finish() {
    std::set<std::pair<Index, std::string>> tested;
    for (const Use& use : uses_) {
      if (use.tested) tested.emplace(use.ask, use.wanted.name);
    }
    for (Use& use : uses_) {
      const bool spared = !use.wanted.linked && tested.contains({use.ask, use.wanted.name});
      if (!spared) out_[use.ask].wanted.push_back(std::move(use.wanted));
    }
    // Of one name the first, and one that must be there before one that may lack.
    for (Ask& ask : out_) {
      std::stable_sort(ask.wanted.begin(), ask.wanted.end(), [](const Wanted& a, const Wanted& b) {
        return a.name != b.name ? a.name < b.name : a.linked && !b.linked;
      });
      const auto same = [](const Wanted& a, const Wanted& b) {
        return a.name == b.name && a.by_default == b.by_default;
      };
      ask.wanted.erase(std::unique(ask.wanted.begin(), ask.wanted.end(), same), ask.wanted.end());
    }
  }

  const Syntax& syntax_;
  const Scopes& scopes_;
  const Meanings& meanings_;
  std::string_view package_;
  std::vector<std::uint32_t> lines_;  // where they end
  std::map<Index, Index> asks_;       // string to number of out_
  std::vector<Use> uses_;
  std::vector<Ask> out_;
};

}  // namespace

std::vector<Ask> asks_in(const Syntax& syntax, std::string_view package) {
  const auto scopes = Scopes::of(syntax);
  if (!scopes || package.empty()) return {};
  Meanings meanings(syntax, *scopes, package);
  meanings.find();
  return AskFinder(syntax, *scopes, meanings, package).run();
}

}  // namespace cg::exports
