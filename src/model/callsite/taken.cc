#include "model/callsite/taken.h"

#include <algorithm>
#include <set>

#include "model/callsite/needs.h"

namespace cg::callsite {

using syntax::Field;
using syntax::Index;
using syntax::Kind;
using syntax::kNone;
using syntax::Scopes;
using syntax::Syntax;

namespace {

constexpr const char* kDefault = "default";

/// What a declared name stands for, if that comes from another file: `name` is empty for all of it.
std::optional<Taken> origin_of(const Syntax& syntax, Index name) {
  const auto word = [&](Index node) {
    return node == kNone ? std::string() : std::string(syntax.text_of(node));
  };
  std::string exported;
  Index top = name;
  for (Index i = syntax.at(name).parent; i != kNone; i = syntax.at(i).parent) {
    switch (syntax.at(i).kind) {
      case Kind::import_specifier:
        exported = word(syntax.child(i, Field::name));
        break;
      case Kind::import_clause:
        if (exported.empty() && syntax.at(name).parent == i) exported = kDefault;
        break;
      case Kind::namespace_import:
      case Kind::named_imports:
        break;
      case Kind::pair_pattern:
        exported = word(syntax.child(i, Field::key));
        break;
      case Kind::object_pattern:
        if (exported.empty()) exported = word(name);
        break;
      case Kind::import_statement:
      case Kind::variable_declarator:
        top = i;
        break;
      default:
        return std::nullopt;
    }
    if (top != name) break;
  }
  Index source = syntax.child(top, Field::source);
  if (syntax.at(top).kind == Kind::variable_declarator) {
    const Index call = syntax.child(top, Field::value);
    if (call == kNone || syntax.at(call).kind != Kind::call_expression) return std::nullopt;
    if (word(syntax.child(call, Field::function)) != "require") return std::nullopt;
    const Index arguments = syntax.child(call, Field::arguments);
    source = arguments == kNone ? kNone : syntax.first_child(arguments);
  }
  if (source == kNone) return std::nullopt;
  auto from = syntax.constant(source);
  if (!from || !(from->starts_with("./") || from->starts_with("../"))) return std::nullopt;
  return Taken{*std::move(from), std::move(exported)};
}

/// `a` of `text.a`, or `default` of what is called itself.
std::string member_at(const Syntax& syntax, Index reference) {
  const Index parent = syntax.at(reference).parent;
  if (syntax.parent_kind(reference) != Kind::member_expression ||
      syntax.at(reference).field != Field::object) {
    return kDefault;
  }
  const Index property = syntax.child(parent, Field::property);
  return property == kNone ? kDefault : std::string(syntax.text_of(property));
}

/// What a file exports under one name.
class Exported {
 public:
  Exported(const Syntax& syntax, const Scopes& scopes) : syntax_(syntax), scopes_(scopes) {}

  [[nodiscard]] std::optional<Range> find(std::string_view name) const {
    const Homes homes(syntax_);
    for (Index i = syntax_.first_child(0); i != kNone; i = syntax_.next_sibling(i)) {
      const std::optional<Index> what = exported_by(i, name);
      if (!what) continue;
      const Range here{syntax_.at(i).begin, syntax_.at(i).end};
      if (*what == kNone) return here;
      const Index binding = scopes_.resolve(*what, syntax_.text_of(*what));
      return binding == kNone ? here : homes.range_of(scopes_.bindings()[binding].name);
    }
    return std::nullopt;
  }

 private:
  /// That it does: the name of what is meant, or kNone if the statement itself says it all.
  [[nodiscard]] std::optional<Index> exported_by(Index statement, std::string_view name) const {
    if (syntax_.at(statement).kind == Kind::export_statement) return by_export(statement, name);
    if (syntax_.at(statement).kind != Kind::expression_statement) return std::nullopt;
    const Index assignment = syntax_.first_child(statement);
    if (assignment == kNone || syntax_.at(assignment).kind != Kind::assignment_expression) {
      return std::nullopt;
    }
    const Index left = syntax_.child(assignment, Field::left);
    const Index right = syntax_.child(assignment, Field::right);
    if (left == kNone || right == kNone) return std::nullopt;
    const std::string target(syntax_.text_of(left));
    if (target == "module.exports") return by_whole(right, name);
    const bool is_it =
        target == "exports." + std::string(name) || target == "module.exports." + std::string(name);
    return is_it ? std::optional(name_or_none(right)) : std::nullopt;
  }

  /// module.exports = f, module.exports = { f, g: h }
  [[nodiscard]] std::optional<Index> by_whole(Index right, std::string_view name) const {
    if (name == kDefault) return name_or_none(right);
    if (syntax_.at(right).kind != Kind::object) return std::nullopt;
    for (Index i = syntax_.first_child(right); i != kNone; i = syntax_.next_sibling(i)) {
      if (syntax_.at(i).kind == Kind::shorthand_property_identifier && syntax_.text_of(i) == name) {
        return i;
      }
      const Index key = syntax_.child(i, Field::key);
      const Index value = syntax_.child(i, Field::value);
      if (syntax_.at(i).kind != Kind::pair || key == kNone || value == kNone) continue;
      if (syntax_.text_of(key) == name && syntax_.at(value).kind == Kind::identifier) return value;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Index> by_export(Index statement, std::string_view name) const {
    if (syntax_.child(statement, Field::source) != kNone) return std::nullopt;  // from a third file
    const Index value = syntax_.child(statement, Field::value);
    const Index declared = syntax_.child(statement, Field::declaration);
    const std::string_view text = syntax_.text_of(statement);
    const bool is_default = text.starts_with("export default");
    if (name == kDefault && is_default) return value == kNone ? kNone : name_or_none(value);
    if (is_default) return std::nullopt;
    if (declared != kNone) {
      return declares(declared, name) ? std::optional(kNone) : std::nullopt;
    }
    for (Index i = statement + 1; i < syntax_.at(statement).after; ++i) {
      if (syntax_.at(i).kind != Kind::export_specifier) continue;
      const Index local = syntax_.child(i, Field::name);
      const Index alias = syntax_.child(i, Field::alias);
      if (local != kNone && syntax_.text_of(alias != kNone ? alias : local) == name) return local;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool declares(Index declaration, std::string_view name) const {
    const Index own = syntax_.child(declaration, Field::name);
    if (own != kNone) return syntax_.text_of(own) == name;
    for (Index i = syntax_.first_child(declaration); i != kNone; i = syntax_.next_sibling(i)) {
      const Index one = syntax_.child(i, Field::name);
      if (one != kNone && syntax_.text_of(one) == name) return true;
    }
    return false;
  }

  [[nodiscard]] Index name_or_none(Index node) const {
    return syntax_.at(node).kind == Kind::identifier ? node : kNone;
  }

  const Syntax& syntax_;
  const Scopes& scopes_;
};

}  // namespace

std::vector<Taken> taken_by(const Syntax& syntax, const Scopes& scopes, std::vector<Range> ranges) {
  std::set<Taken> out;
  ranges = in_order(std::move(ranges));
  auto range = ranges.begin();
  std::vector<bool> is_local(scopes.bindings().size());
  for (Index i = 1; i < syntax.nodes().size() && out.size() < kMaxTaken; ++i) {
    const syntax::Node& node = syntax.at(i);
    while (range != ranges.end() && range->end <= node.begin) ++range;
    if (range == ranges.end()) break;
    if (node.begin < range->begin || !is_reference(node.kind) || scopes.is_declaration(i)) continue;
    const Index binding = scopes.resolve(i, syntax.text_of(i));
    if (binding == kNone || is_local[binding]) continue;
    auto taken = origin_of(syntax, scopes.bindings()[binding].name);
    is_local[binding] = !taken;
    if (!taken) continue;
    if (taken->name.empty()) taken->name = member_at(syntax, i);
    out.insert(*std::move(taken));
  }
  return {out.begin(), out.end()};
}

std::optional<Piece> find_export(std::string_view text, syntax::Language language,
                                 std::string_view name) {
  if (text.size() > syntax::kMaxFileBytes) return std::nullopt;
  const auto syntax = Syntax::parse(text, language);
  if (!syntax) return std::nullopt;
  const auto scopes = Scopes::of(*syntax);
  if (!scopes) return std::nullopt;
  const auto found = Exported(*syntax, *scopes).find(name);
  if (!found || found->end - found->begin > kMaxNeedBytes) return std::nullopt;
  const Range range = whole_lines(text, *found);
  const auto before = text.substr(0, range.begin);
  const auto line = 1U + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  return Piece{line, range.begin, range.end,
               std::string(text.substr(range.begin, range.end - range.begin))};
}

}  // namespace cg::callsite
