#include "learn/carry/source.h"

#include <algorithm>
#include <map>

#include "base/base/text.h"

namespace cg::carry {

Result<std::unique_ptr<const Source>, Refusal> Source::open(std::string_view text,
                                                            syntax::Language language,
                                                            std::string_view package) {
  std::unique_ptr<Source> out(new Source());
  out->text_ = std::string(text);
  out->lines_.push_back(0);
  for (std::size_t i = text.find('\n'); i != text.npos; i = text.find('\n', i + 1)) {
    out->lines_.push_back(static_cast<std::uint32_t>(i + 1));
  }
  auto syntax = syntax::Syntax::parse(out->text_, language);
  if (!syntax || syntax->broken()) return fail(Refusal{0, "the file does not parse"});
  out->syntax_.emplace(*std::move(syntax));
  std::vector<std::size_t> depth(out->size(), 0);
  for (Index i = 1; i < out->size(); ++i) {
    depth[i] = depth[out->parent(i)] + 1;
    if (depth[i] > kMaxNesting) return fail(Refusal{out->line_of(i), "it is nested too deep"});
  }
  // The parser takes some blocks for objects.
  for (Index i = 1; i < out->size(); ++i) {
    const bool begins_block =
        out->kind(i) == Kind::expression_statement ||
        (out->parent_kind(i) == Kind::arrow_function && out->at(i).field == Field::body &&
         out->kind(i) != Kind::statement_block);
    if (begins_block && out->text_of(i).starts_with('{')) {
      return fail(Refusal{out->line_of(i), "a block would be read as an object"});
    }
  }
  auto scopes = syntax::Scopes::of(*out->syntax_);
  if (!scopes) return fail(Refusal{0, "it is nested too deep"});
  out->scopes_.emplace(*std::move(scopes));
  out->meanings_.emplace(*out->syntax_, *out->scopes_, package);
  if (!package.empty()) out->meanings_->find();
  return std::unique_ptr<const Source>(std::move(out));
}

std::size_t Source::line_of(Index node) const {
  const auto next = std::upper_bound(lines_.begin(), lines_.end(), at(node).begin);
  return static_cast<std::size_t>(next - lines_.begin());
}

std::vector<Index> Source::children(Index node) const {
  std::vector<Index> out;
  for (Index i = syntax_->first_child(node); i != kNone; i = syntax_->next_sibling(i)) {
    if (kind(i) != Kind::comment) out.push_back(i);
  }
  return out;
}

bool Source::is_name(Index node) const {
  switch (kind(node)) {
    case Kind::identifier:
    case Kind::type_identifier:
    case Kind::shorthand_property_identifier:
    case Kind::shorthand_property_identifier_pattern:
      break;
    default:
      return false;
  }
  // The `a` of { a as b } names what the module calls it; nested type names, a member.
  const Kind around = parent_kind(node);
  if (around == Kind::import_specifier || around == Kind::export_specifier) {
    if (at(node).field == Field::alias) return around == Kind::import_specifier;
    return around == Kind::export_specifier || syntax_->child(parent(node), Field::alias) == kNone;
  }
  return (around != Kind::nested_type_identifier && around != Kind::nested_identifier) ||
         syntax_->first_child(parent(node)) == node;
}

Index Source::binding_of(Index name) const { return scopes_->resolve(name, text_of(name)); }

Meaning Source::meaning_of(Index name) const {
  const Index binding = binding_of(name);
  return binding == kNone ? Meaning{} : meanings_->of_binding(binding);
}

std::string Source::functions_above(Index node, Index until) const {
  std::string out;
  for (Index i = parent(node); node != until && i != until && i != kNone; i = parent(i)) {
    switch (kind(i)) {
      case Kind::arrow_function:
        out += is_async(i) ? 'A' : 'a';
        break;
      case Kind::class_body:
        out += 'c';
        break;
      default:
        if (!syntax::is_function(kind(i))) break;
        out += is_async(i) ? 'F' : 'f';
        if (is_generator(i)) out += '*';
    }
  }
  return out;
}

std::string Source::signs_before_name(Index function) const {
  std::string out;
  std::uint32_t from = at(function).begin;
  for (Index i = syntax_->first_child(function); i != kNone; i = syntax_->next_sibling(i)) {
    out += ' ' + std::string(std::string_view(text_).substr(from, at(i).begin - from));
    from = at(i).end;
    const Field field = at(i).field;
    if (field == Field::name || field == Field::parameter || field == Field::parameters) break;
  }
  return out;
}

bool Source::is_async(Index function) const {
  std::string words = signs_before_name(function);
  std::replace_if(
      words.begin(), words.end(), [](char c) { return c < 'a' || c > 'z'; }, ' ');
  return (words + ' ').find(" async ") != std::string::npos;
}

bool Source::is_generator(Index function) const {
  return signs_before_name(function).find('*') != std::string::npos;
}

bool Source::in_async(Index node) const {
  for (Index i = parent(node); i != kNone; i = parent(i)) {
    if (syntax::is_function(kind(i))) return is_async(i);
  }
  return false;
}

bool is_wrapper(Kind kind) {
  return kind == Kind::parenthesized_expression || kind == Kind::as_expression ||
         kind == Kind::satisfies_expression || kind == Kind::non_null_expression;
}

Index stripped(const Source& source, Index expression) {
  while (is_wrapper(source.kind(expression))) {
    const std::vector<Index> inner = source.children(expression);
    if (inner.empty()) break;
    expression = inner.front();
  }
  return expression;
}

bool is_statement(Kind kind) {
  switch (kind) {
    case Kind::import_statement:
    case Kind::export_statement:
    case Kind::lexical_declaration:
    case Kind::variable_declaration:
    case Kind::expression_statement:
    case Kind::return_statement:
    case Kind::if_statement:
    case Kind::throw_statement:
    case Kind::function_declaration:
    case Kind::for_statement:
    case Kind::for_in_statement:
    case Kind::while_statement:
    case Kind::do_statement:
    case Kind::try_statement:
    case Kind::switch_statement:
      return true;
    default:
      return false;
  }
}

bool holds_statements(Kind kind) { return kind == Kind::program || kind == Kind::statement_block; }

bool is_hole(std::string_view word) {
  if (word.size() < 2 || word.size() > 3 || word[0] != '$' || word[1] == '0') return false;
  return std::all_of(word.begin() + 1, word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::size_t hole_number(std::string_view hole) {
  std::size_t out = 0;
  for (const char c : hole.substr(1)) out = 10 * out + static_cast<std::size_t>(c - '0');
  return out;
}

std::string_view margin_at(std::string_view text, std::size_t at) {
  const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
  const std::size_t end = text.find_first_not_of(" \t", line);
  return text.substr(line, std::min(end, text.size()) - line);
}

Layout layout_of(const Source& source) {
  Layout out;
  if (source.text().find("\r\n") != std::string_view::npos) out.line_end = "\r\n";
  // One level: how far the children of blocks stand in, most often.
  std::map<std::string, int> steps;
  int quotes = 0;
  int with = 0;
  int without = 0;
  for (Index i = 1; i < source.size(); ++i) {
    const Kind kind = source.kind(i);
    if (kind == Kind::string && source.parent_kind(i) != Kind::jsx_attribute) {
      quotes += source.text_of(i).front() == '"' ? 1 : -1;
    }
    if (!is_statement(kind)) continue;
    if (kind == Kind::expression_statement || kind == Kind::lexical_declaration ||
        kind == Kind::return_statement || kind == Kind::import_statement) {
      ++(source.text_of(i).ends_with(';') ? with : without);
    }
    const Index around = source.parent(i);
    if (source.kind(around) != Kind::statement_block) continue;
    const std::string_view inner = margin_at(source.text(), source.at(i).begin);
    const std::string_view outer = margin_at(source.text(), source.at(around).end - 1);
    if (inner.size() > outer.size() && inner.starts_with(outer)) {
      ++steps[std::string(inner.substr(outer.size()))];
    }
  }
  int most = 0;
  for (const auto& [step, count] : steps) {
    if (count > most) out.indent = step;
    most = std::max(most, count);
  }
  if (quotes > 0) out.quote = '"';
  out.semicolons = with >= without;
  return out;
}

}  // namespace cg::carry
