#include "learn/carry/spell.h"

#include <algorithm>

#include "base/base/text.h"

namespace cg::carry {

bool is_slot(const Source& source, Index node) {
  const Field field = source.at(node).field;
  switch (source.parent_kind(node)) {
    case Kind::arguments:
    case Kind::array:
    case Kind::spread_element:
    case Kind::template_substitution:
    case Kind::return_statement:
      return true;
    case Kind::pair:
    case Kind::variable_declarator:
      return field == Field::value;
    case Kind::object:
      return source.kind(node) == Kind::shorthand_property_identifier;
    default:
      return false;
  }
}

bool is_lambda(Kind kind) {
  return kind == Kind::arrow_function || kind == Kind::function_expression;
}

std::string with_key(const Source& source, Index node, const std::string& hole) {
  const Kind kind = source.kind(node);
  if (kind == Kind::import_specifier) {
    return std::string(source.text_of(source.syntax().child(node, Field::name))) + " as " + hole;
  }
  const Index key = source.syntax().child(node, Field::key);
  return std::string(source.text_of(key == kNone ? node : key)) + ": " + hole;
}

bool is_plain_key(const Source& source, Index pair) {
  const Kind kind = source.kind(source.syntax().child(pair, Field::key));
  return kind == Kind::property_identifier || kind == Kind::string;
}

std::string spelled(const Source& source, const Span& span, const std::vector<Token>& tokens,
                    const Spellings& spellings) {
  const std::string_view margin = margin_at(source.text(), source.begin_of(span));
  std::string out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (i > 0) {
      const std::uint32_t from = tokens[i - 1].end;
      const std::string_view gap = source.text().substr(from, tokens[i].begin - from);
      const bool is_blank = trim(gap).empty();
      const std::vector<std::string_view> lines = split(gap, '\n');
      if (lines.size() == 1) out += is_blank ? gap : " ";
      for (std::size_t n = is_blank ? 1 : lines.size() - 1; n > 0 && n < lines.size(); ++n) {
        out += '\n';
        if (n + 1 < lines.size()) continue;
        const std::size_t end = std::min(lines[n].find_first_not_of(" \t"), lines[n].size());
        if (lines[n].starts_with(margin) && margin.size() <= end) {
          out += lines[n].substr(margin.size(), end - margin.size());
        }
      }
    }
    const auto whole = spellings.find(tokens[i].node);
    out += whole == spellings.end() ? word_of(source, tokens[i]) : whole->second;
  }
  return out;
}

std::vector<std::string> words_of(const Source& source, const std::vector<Token>& tokens,
                                  const Spellings& spellings) {
  std::vector<std::string> out;
  for (const Token& token : tokens) {
    const auto whole = spellings.find(token.node);
    out.push_back(whole == spellings.end() ? typed_word(source, token) : whole->second);
  }
  return out;
}

bool is_act(const Source& source, Index node) {
  switch (source.kind(node)) {
    case Kind::call_expression:
    case Kind::new_expression:
    case Kind::await_expression:
    case Kind::update_expression:
    case Kind::assignment_expression:
    case Kind::augmented_assignment_expression:
    case Kind::return_statement:
    case Kind::throw_statement:
      return true;
    case Kind::unary_expression:
      return source.text_of(node).starts_with("delete");
    default:
      return source.kind(node) == Kind::other && source.text_of(node).starts_with("yield");
  }
}

Index bottom_of(const Source& source, Index expression) {
  Index at = expression;
  while (source.syntax().first_child(at) != kNone) at = source.syntax().first_child(at);
  return at;
}

std::string member_of(const Meaning& meaning) {
  std::string out = meaning.by_default ? "default" : "*";
  if (meaning.kind == Meaning::Kind::member) out += "." + std::string(meaning.member);
  return out;
}

bool is_opaque(Kind kind) {
  switch (kind) {
    case Kind::identifier:
    case Kind::shorthand_property_identifier:
    case Kind::member_expression:
    case Kind::subscript_expression:
    case Kind::call_expression:
    case Kind::await_expression:
    case Kind::template_string:
    case Kind::binary_expression:
    case Kind::ternary_expression:
    case Kind::unary_expression:
      return true;
    default:
      return false;
  }
}

}  // namespace cg::carry
