#include <algorithm>
#include <charconv>

#include "learn/carry/match.h"
#include "learn/carry/pattern.h"

namespace cg::carry {

namespace {

/// An expression is read within brackets, so that none is taken for a statement.
bool is_bracketed(Rule::Form form) {
  return form == Rule::Form::use || form == Rule::Form::expression;
}

Result<Pattern::Side, std::string> side_of(const std::string& text, const Rule& rule,
                                           syntax::Language language) {
  const Rule::Form form = rule.form;
  const bool bracketed = is_bracketed(form);
  auto source = Source::open(bracketed ? "(" + text + "\n)" : text, language, "");
  if (!source) return fail(std::string("does not parse"));
  Pattern::Side out;
  out.source = *std::move(source);
  const Source& read = *out.source;
  std::vector<Index> top = read.children(0);
  for (Index i = 0; i < read.size(); ++i) {
    if (read.kind(i) == Kind::comment) return fail(std::string("has a comment"));
  }
  if (bracketed) {
    if (top.size() != 1 || read.kind(top[0]) != Kind::expression_statement) {
      return fail(std::string("is no expression"));
    }
    top = read.children(top[0]);
    if (top.size() != 1 || read.kind(top[0]) != Kind::parenthesized_expression) {
      return fail(std::string("is no expression"));
    }
    top = read.children(top[0]);
    if (top.size() != 1) return fail(std::string("is no expression"));
  }
  if (top.empty()) return fail(std::string("is empty"));
  out.span = {top.front(), top.back()};
  const std::string_view within =
      read.text().substr(read.begin_of(out.span), read.end_of(out.span) - read.begin_of(out.span));
  if (within != text) return fail(std::string("has something around it"));
  out.tokens = tokens_of(read, out.span, [&](Index i) { return hole_behind(read, i, rule) != 0; });
  return out;
}

}  // namespace

std::size_t hole_at(const Source& pattern, Index node) {
  const Kind kind = pattern.kind(node);
  if (kind != Kind::identifier && kind != Kind::type_identifier) return 0;
  const std::string_view word = pattern.text_of(node);
  if (!is_hole(word)) return 0;
  std::size_t number = 0;
  std::from_chars(word.data() + 1, word.data() + word.size(), number);
  return number;
}

std::size_t hole_behind(const Source& pattern, Index node, const Rule& rule) {
  const Kind kind = pattern.kind(node);
  Index name = kNone;
  if (kind == Kind::import_specifier) {
    name = pattern.syntax().child(node, Field::alias);
  } else if (kind == Kind::pair || kind == Kind::pair_pattern) {
    const Kind key = pattern.kind(pattern.syntax().child(node, Field::key));
    const bool is_plain = key == Kind::property_identifier || key == Kind::string;
    if (is_plain) name = pattern.syntax().child(node, Field::value);
  }
  const std::size_t hole = name == kNone ? 0 : hole_at(pattern, name);
  return hole != 0 && hole <= rule.holes.size() && takes_word(rule.holes[hole - 1]) ? hole : 0;
}

Result<Pattern, std::string> Pattern::of(const Rule& rule, syntax::Language language) {
  Pattern out;
  out.rule_ = &rule;
  CG_TRY_ASSIGN(out.before_, side_of(rule.before, rule, language));
  CG_TRY_ASSIGN(out.after_, side_of(rule.after, rule, language));
  std::vector<std::size_t> times(rule.holes.size(), 0);
  std::vector<std::size_t> behind(rule.holes.size(), 0);
  for (const bool is_before : {true, false}) {
    const Source& source = is_before ? *out.before_.source : *out.after_.source;
    for (Index i = 0; i < source.size(); ++i) {
      const Kind kind = source.kind(i);
      const bool is_text = kind == Kind::string_fragment || source.parent_kind(i) == Kind::string ||
                           source.parent_kind(i) == Kind::template_string || kind == Kind::other;
      const bool is_word = !is_text && source.at(i).after == i + 1 && is_hole(source.text_of(i));
      const std::size_t hole = hole_at(source, i);
      if (is_word != (hole != 0)) return fail(std::string("has a hole where none can be"));
      if (hole > rule.holes.size()) return fail(std::string("has a hole that nothing is said of"));
      if (hole != 0) ++(is_before ? times : behind)[hole - 1];
    }
  }
  const auto words = [](const Side& side) {
    std::vector<std::string> all;
    for (const Token& token : side.tokens) all.push_back(typed_word(*side.source, token));
    return all;
  };
  const std::vector<std::string> old_words = words(out.before_);
  const std::vector<std::string> new_words = words(out.after_);
  auto kept = common(old_words.size(), new_words.size(),
                     [&](std::size_t x, std::size_t y) { return old_words[x] == new_words[y]; });
  if (!kept) return fail(std::string("is too long to be compared"));
  out.kept_ = *std::move(kept);
  // What takes more than a name stands once on the left, and stays or goes as it is.
  std::vector<std::size_t> stays(rule.holes.size(), 0);
  for (std::size_t i = 0; i < out.after_.tokens.size(); ++i) {
    const Index node = out.after_.tokens[i].node;
    if (out.kept_[i] == kApart || node == kNone) continue;
    const Source& source = *out.after_.source;
    const std::size_t hole = std::max(hole_at(source, node), hole_behind(source, node, rule));
    if (hole != 0) ++stays[hole - 1];
  }
  for (std::size_t i = 0; i < rule.holes.size(); ++i) {
    const Takes takes = rule.holes[i].takes;
    const bool is_name = takes == Takes::name || takes == Takes::own || takes == Takes::package ||
                         takes == Takes::made;
    if (times[i] == 0) return fail(std::string("has a hole that takes nothing"));
    if (is_name) continue;
    if (times[i] != 1 || behind[i] > 1 || stays[i] != behind[i]) {
      return fail(std::string("moves what is no name"));
    }
  }
  return out;
}

}  // namespace cg::carry
