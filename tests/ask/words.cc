#include "ask/words.h"

#include <algorithm>
#include <set>

#include "base/json/placing.h"
#include "npm/syntax/syntax.h"

namespace cg::test {

using syntax::Kind;

namespace {

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}

bool has_word(std::string_view text, std::string_view word) {
  if (word.empty()) return true;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_word_char(word.front()) || !is_word_char(text[at - 1]);
    const std::size_t end = at + word.size();
    const bool ends = end == text.size() || !is_word_char(word.back()) || !is_word_char(text[end]);
    if (begins && ends) return true;
  }
  return false;
}

/// Lines that are new, from 1.
std::set<std::size_t> added_lines(std::string_view before, std::string_view after) {
  std::set<std::size_t> out;
  for (const json::Hunk& hunk : json::difference("x", before, after).hunks) {
    std::size_t line = hunk.new_start;
    for (const json::DiffLine& one : hunk.lines) {
      if (one.kind == json::DiffLine::Kind::added) out.insert(line);
      if (one.kind != json::DiffLine::Kind::removed) ++line;
    }
  }
  return out;
}

bool is_word(Kind kind) {
  switch (kind) {
    case Kind::identifier:
    case Kind::property_identifier:
    case Kind::shorthand_property_identifier:
    case Kind::shorthand_property_identifier_pattern:
    case Kind::private_property_identifier:
    case Kind::statement_identifier:
    case Kind::type_identifier:
    case Kind::number:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::vector<std::string> untold(const std::string& path, std::string_view before,
                                std::string_view after, std::string_view said) {
  const auto language = syntax::language_of(path);
  if (!language) return {path + " is no source"};
  const auto parsed = syntax::Syntax::parse(after, *language);
  if (!parsed || parsed->broken()) return {path + " cannot be parsed"};
  const std::set<std::size_t> added = added_lines(before, after);
  std::vector<std::string> out;
  std::size_t line = 1;
  std::size_t at = 0;
  for (syntax::Index i = 0; i < parsed->nodes().size(); ++i) {
    const syntax::Node& node = parsed->at(i);
    for (; at < node.begin; ++at) line += after[at] == '\n' ? 1U : 0U;
    if (!added.contains(line)) continue;
    const auto constant = parsed->constant(i);
    if (!constant && !is_word(node.kind)) continue;
    const std::string word = constant ? *constant : std::string(parsed->text_of(i));
    if (has_word(before, word) || has_word(said, word)) continue;
    out.push_back(path + ":" + std::to_string(line) + ": " + word);
  }
  return out;
}

}  // namespace cg::test
