#include "learn/carry/uses.h"

#include <algorithm>
#include <set>

#include "learn/carry/spell.h"

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
    const bool imports =
        std::any_of(out_.imports.begin(), out_.imports.end(), [&](Index statement) {
          return source_.is_within(name, {statement, statement});
        });
    if (imports) return Done{};
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

/// "apart a b" of { a, b: c }.
std::string apart(const Source& source, Index pattern) {
  std::string out = "apart";
  if (source.kind(pattern) == Kind::array_pattern) {
    return out + " " + std::to_string(source.children(pattern).size());
  }
  std::set<std::string> keys;
  for (const Index part : source.children(pattern)) {
    switch (source.kind(part)) {
      case Kind::shorthand_property_identifier_pattern:
        keys.emplace(source.text_of(part));
        break;
      case Kind::pair_pattern:
        if (source.kind(source.syntax().child(part, Field::value)) != Kind::identifier)
          return std::string(kUnclear);
        keys.emplace(source.text_of(source.syntax().child(part, Field::key)));
        break;
      default:
        return std::string(kUnclear);
    }
  }
  for (const std::string& key : keys) out += " " + key;
  return out;
}

/// Outwards over what leaves its value alone.
Index wrapped(const Source& source, Index expression) {
  while (is_wrapper(source.parent_kind(expression))) {
    expression = source.parent(expression);
  }
  return expression;
}

/// What stands around it alone.
std::string place_at(const Source& source, Index at) {
  const Index around = source.parent(at);
  const Field field = source.at(at).field;
  switch (source.kind(around)) {
    case Kind::expression_statement:
      return "statement";
    case Kind::arrow_function:
      return source.is_async(around) ? "return of async" : "return";
    case Kind::return_statement:
      return source.in_async(at) ? "return of async" : "return";
    case Kind::variable_declarator: {
      const Index name = source.syntax().child(around, Field::name);
      const bool is_name = source.kind(name) == Kind::identifier;
      const std::string place = is_name ? "name" : apart(source, name);
      const bool leaves = source.parent_kind(source.parent(around)) == Kind::export_statement;
      return leaves && place != kUnclear ? place + ", exported" : place;
    }
    case Kind::arguments:
      return "argument";
    case Kind::pair:
    case Kind::object:
      return "member";
    case Kind::array:
      return "item";
    case Kind::template_substitution:
      return "text";
    case Kind::binary_expression:
    case Kind::unary_expression:
      return "operand";
    case Kind::ternary_expression:
      return field == Field::condition ? "condition" : "choice";
    case Kind::if_statement:
    case Kind::while_statement:
      return "condition";
    case Kind::assignment_expression:
      return field == Field::right ? "assigned" : "";
    case Kind::for_in_statement:
      return field == Field::right ? "iterated" : "";
    case Kind::spread_element:
      return "spread";
    case Kind::jsx_expression:
      return source.parent_kind(around) == Kind::jsx_attribute ? "attribute" : "child";
    default:
      return {};
  }
}

constexpr std::size_t kMaxTaker = 256;

/// "x *.open" of the `menu.open` that is called, if that is the package's or of what it gave.
std::string words_of_callee(const Source& source, Index callee) {
  std::string out;
  for (Index at = callee; at != kNone;) {
    const Kind kind = source.kind(at);
    if (kind == Kind::identifier) {
      const Meaning meaning = source.meaning_of(at);
      if (meaning.kind == Meaning::Kind::nothing) return {};
      if (meaning.kind == Meaning::Kind::instance) return "what it gave" + out;
      return source.syntax().constant(meaning.source).value_or("") + " " + member_of(meaning) + out;
    }
    if (kind == Kind::call_expression && source.meanings().of(at).kind == Meaning::Kind::whole) {
      return source.syntax().constant(source.meanings().of(at).source).value_or("") + " *" + out;
    }
    Field inner = Field::none;
    if (kind == Kind::member_expression) {
      const Index property = source.syntax().child(at, Field::property);
      out = "." + std::string(source.meanings().word_of(property)) + out;
      inner = Field::object;
    } else if (kind == Kind::subscript_expression) {
      out = "[]" + out;
      inner = Field::object;
    } else if (kind == Kind::call_expression) {
      out = "()" + out;
      inner = Field::function;
    } else if (kind == Kind::new_expression) {
      out = " new" + out;
      inner = Field::builder;
    }
    at = inner == Field::none ? source.syntax().first_child(at) : source.syntax().child(at, inner);
    if (out.size() > kMaxTaker) return out;
  }
  return {};
}

/// The function around a node, if it is a part of an expression; else kNone.
Index lambda_around(const Source& source, Index node) {
  while (node != kNone && !syntax::is_function(source.kind(node))) node = source.parent(node);
  const bool may_be = is_lambda(source.kind(node)) || source.kind(node) == Kind::method_definition;
  return may_be ? node : kNone;
}

/// What of the package gets a value in the end, and where: through lists, objects, operators and
/// functions that return it. Empty if that is none of the package's.
std::string taker_of(const Source& source, Index at) {
  for (Index around = source.parent(at); around != kNone; around = source.parent(at)) {
    const Kind kind = source.kind(around);
    const auto child = [&](Index of, Field field) { return source.syntax().child(of, field); };
    if (kind == Kind::arguments || source.at(at).field == Field::arguments) {
      const Index call = kind == Kind::arguments ? source.parent(around) : around;
      const bool makes = source.kind(call) == Kind::new_expression;
      const std::string words =
          words_of_callee(source, child(call, makes ? Field::builder : Field::function));
      if (words.empty()) return {};
      const std::vector<Index> all = source.children(around);
      const auto number = std::find(all.begin(), all.end(), at) - all.begin() + 1;
      return "argument " + std::to_string(number) + " of " + words;
    }
    if (kind == Kind::assignment_expression) {
      const std::string words = words_of_callee(source, child(around, Field::left));
      return words.empty() ? words : "what is assigned to " + words;
    }
    if (kind == Kind::return_statement) {
      around = lambda_around(source, around);
      if (around == kNone) return {};
    } else if (is_statement(kind) || holds_statements(kind) || kind == Kind::variable_declarator ||
               kind == Kind::jsx_expression) {
      return {};
    }
    at = around;
  }
  return {};
}

}  // namespace

Result<Uses, Refusal> uses_of(const Source& source, std::string_view package) {
  return Finder(source, package).run();
}

std::string place_of(const Source& source, Index expression) {
  const Index at = wrapped(source, expression);
  std::string place = place_at(source, at);
  if (place.empty() || place.starts_with("apart")) return place;
  const std::string taker = taker_of(source, at);
  if (taker.empty()) return place;
  return taker.size() > kMaxTaker ? std::string() : place + " in " + taker;
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
