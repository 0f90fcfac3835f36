#include "learn/carry/uses.h"

#include <algorithm>
#include <set>

namespace cg::carry {

namespace {

constexpr std::size_t kMaxSources = 64;

/// Outwards from a name over all that is done to it.
Index chain_of(const Source& source, Index root) {
  Index chain = root;
  for (Index at = root; at != 0 && at != kNone;) {
    const Index around = source.parent(at);
    const Field field = source.at(at).field;
    const Kind kind = source.kind(around);
    const bool goes_on = (kind == Kind::member_expression && field == Field::object) ||
                         (kind == Kind::subscript_expression && field == Field::object) ||
                         (kind == Kind::call_expression && field == Field::function) ||
                         (kind == Kind::new_expression && field == Field::builder) ||
                         kind == Kind::await_expression;
    if (goes_on) chain = around;
    const bool may_go_on =
        kind == Kind::parenthesized_expression || kind == Kind::non_null_expression;
    if (!goes_on && !may_go_on) break;
    at = around;
  }
  return chain;
}

class Finder {
 public:
  Finder(const Source& source, std::string_view package) : source_(source), package_(package) {}

  Result<Uses, Refusal> run() {
    CG_TRY(look_for_strangers());
    if (source_.meanings().sources().size() > kMaxSources) {
      return fail(Refusal{0, "the package is brought in too often"});
    }
    for (const Index string : source_.meanings().sources()) CG_TRY(add_source(string));
    std::sort(out_.imports.begin(), out_.imports.end());
    out_.imports.erase(std::unique(out_.imports.begin(), out_.imports.end()), out_.imports.end());
    for (const Index statement : out_.imports) CG_TRY(look_for_lost(statement));
    for (Index i = 1; i < source_.size(); ++i) {
      if (source_.is_name(i)) CG_TRY(add_name(i));
    }
    std::sort(out_.all.begin(), out_.all.end(),
              [](const Use& a, const Use& b) { return a.root < b.root; });
    return std::move(out_);
  }

 private:
  [[nodiscard]] Failure<Refusal> stop(Index at, std::string why) const {
    return fail(Refusal{source_.line_of(at), std::move(why)});
  }

  Result<Done, Refusal> look_for_strangers() {
    const std::set<Index> known(source_.meanings().sources().begin(),
                                source_.meanings().sources().end());
    for (Index i = 1; i < source_.size(); ++i) {
      const Kind kind = source_.kind(i);
      if (kind == Kind::with_statement) return stop(i, "names within `with` are not followed");
      if (kind == Kind::identifier && source_.text_of(i) == "eval") {
        return stop(i, "what eval does is not followed");
      }
      if (kind != Kind::string && kind != Kind::template_string) continue;
      const auto text = source_.syntax().constant(i);
      if (!text || known.contains(i) || !text->starts_with(package_)) continue;
      if (text->size() != package_.size() && (*text)[package_.size()] != '/') continue;
      return stop(i, "the package is named in a way that is not followed");
    }
    return Done{};
  }

  /// Names that take something out of the package, and nobody knows what.
  Result<Done, Refusal> look_for_lost(Index statement) {
    for (const Index declarator : source_.children(statement)) {
      if (source_.kind(declarator) != Kind::variable_declarator) continue;
      const Index names = source_.syntax().child(declarator, Field::name);
      const Index value = source_.syntax().child(declarator, Field::value);
      const auto& sources = source_.meanings().sources();
      const bool imports = std::any_of(sources.begin(), sources.end(), [&](Index string) {
        return value != kNone && source_.is_within(string, {value, value});
      });
      for (Index i = names; imports && i < source_.at(names).after; ++i) {
        const bool declares = source_.is_name(i) && source_.scopes().is_declaration(i);
        if (!declares || source_.meaning_of(i).kind != Meaning::Kind::nothing) continue;
        return stop(i, "`" + std::string(source_.text_of(i)) +
                           "` comes out of the package in a way that is not followed");
      }
    }
    return Done{};
  }

  Result<Done, Refusal> add_source(Index string) {
    Index statement = source_.parent(string);
    if (source_.kind(statement) == Kind::import_require_clause)
      statement = source_.parent(statement);
    if (source_.kind(statement) == Kind::arguments) {
      const Index call = source_.parent(statement);
      const Index chain = chain_of(source_, call);
      Index around = source_.parent(chain);
      if (source_.kind(around) == Kind::variable_declarator) around = source_.parent(around);
      const Kind kind = source_.kind(around);
      if (kind != Kind::lexical_declaration && kind != Kind::variable_declaration &&
          (kind != Kind::expression_statement || chain != call)) {
        out_.all.push_back({call, chain});
        return Done{};
      }
      statement = around;
    }
    if (!holds_statements(source_.parent_kind(statement))) {
      return stop(string, "the package is brought in within another statement");
    }
    out_.imports.push_back(statement);
    return Done{};
  }

  Result<Done, Refusal> add_name(Index name) {
    const Index binding = source_.binding_of(name);
    if (binding == kNone || source_.meaning_of(name).kind == Meaning::Kind::nothing) return Done{};
    if (source_.scopes().is_declaration(name)) {
      if (source_.declaration_of(binding) == name) return Done{};
      return stop(name, "`" + std::string(source_.text_of(name)) + "` is declared twice");
    }
    const Kind around = source_.parent_kind(name);
    const bool writes = source_.at(name).field == Field::left ||
                        around == Kind::update_expression || around == Kind::array_pattern ||
                        around == Kind::object_pattern || around == Kind::pair_pattern ||
                        around == Kind::rest_pattern;
    if (writes && around != Kind::binary_expression) {
      return stop(name, "`" + std::string(source_.text_of(name)) + "` is given another value");
    }
    out_.all.push_back({name, chain_of(source_, name)});
    return Done{};
  }

  const Source& source_;
  std::string_view package_;
  Uses out_;
};

}  // namespace

Result<Uses, Refusal> uses_of(const Source& source, std::string_view package) {
  return Finder(source, package).run();
}

std::optional<std::vector<std::string>> keys_behind(const Source& source, Index name) {
  const Index binding = source.binding_of(name);
  if (binding == kNone) return std::nullopt;
  const Index declarator = source.parent(source.declaration_of(binding));
  if (source.kind(declarator) != Kind::variable_declarator) return std::nullopt;
  if (source.syntax().child(declarator, Field::name) != source.declaration_of(binding)) {
    return std::nullopt;
  }
  const Index value = source.syntax().child(declarator, Field::value);
  if (source.kind(value) != Kind::object) return std::nullopt;
  std::set<std::string> keys;
  for (const Index part : source.children(value)) {
    const Index key = source.syntax().child(part, Field::key);
    const Index name_of = source.syntax().child(part, Field::name);
    const bool is_word = source.kind(part) == Kind::shorthand_property_identifier;
    const Index word = is_word ? part : (key != kNone ? key : name_of);
    keys.emplace(word == kNone ? std::string_view("...") : source.meanings().word_of(word));
  }
  return std::vector<std::string>(keys.begin(), keys.end());
}

Taking taking_of(const Source& source, Index function) {
  Taking out;
  std::set<std::string> keys;
  std::vector<Index> parameters;
  const Index list = source.syntax().child(function, Field::parameters);
  if (list != kNone) parameters = source.children(list);
  const Index single = source.syntax().child(function, Field::parameter);
  if (single != kNone) parameters = {single};
  out.parameters = parameters.size();
  if (source.is_async(function)) keys.emplace("async");
  for (std::size_t n = 0; n < parameters.size(); ++n) {
    const std::string number = std::to_string(n);
    Index parameter = parameters[n];
    if (source.kind(parameter) == Kind::required_parameter) {
      parameter = source.syntax().child(parameter, Field::pattern);
    }
    if (source.kind(parameter) == Kind::object_pattern) {
      for (const Index part : source.children(parameter)) {
        const Index key = source.syntax().child(part, Field::key);
        keys.insert(number + "." + std::string(source.text_of(key == kNone ? part : key)));
      }
      continue;
    }
    if (source.kind(parameter) != Kind::identifier) {
      keys.insert(number + "...");
      continue;
    }
    const Index binding = source.binding_of(parameter);
    for (Index i = function + 1; i < source.at(function).after; ++i) {
      if (!source.is_name(i) || i == parameter || source.binding_of(i) != binding) continue;
      const Index around = source.parent(i);
      const bool takes_member =
          source.kind(around) == Kind::member_expression && source.at(i).field == Field::object;
      const Index member = takes_member ? source.syntax().child(around, Field::property) : kNone;
      keys.insert(member == kNone ? number : number + "." + std::string(source.text_of(member)));
    }
  }
  out.keys.assign(keys.begin(), keys.end());
  return out;
}

std::size_t maker_of(const Source& source, Index binding, const std::vector<Span>& spans) {
  Index declarator = source.declaration_of(binding);
  while (declarator != kNone && source.kind(declarator) != Kind::variable_declarator) {
    if (is_statement(source.kind(declarator))) return kNobody;
    declarator = source.parent(declarator);
  }
  if (declarator == kNone) return kNobody;
  const Index value = source.syntax().child(declarator, Field::value);
  if (value == kNone || source.is_within(source.declaration_of(binding), {value, value})) {
    return kNobody;
  }
  std::size_t innermost = kNobody;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (spans[i].first == spans[i].last && spans[i].first == stripped(source, value)) return i;
    if (!source.is_within(declarator, spans[i])) continue;
    const bool is_inner =
        innermost == kNobody || source.is_within(spans[i].first, spans[innermost]);
    if (is_inner) innermost = i;
  }
  return innermost;
}

}  // namespace cg::carry
