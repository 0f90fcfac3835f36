#include <algorithm>
#include <charconv>
#include <map>

#include "learn/carry/match.h"
#include "learn/carry/pattern.h"
#include "learn/carry/spell.h"

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

/// What a side does by the name at the bottom of it: in how many functions, and with what text.
struct Acts {
  bool is_own = false;              // by what is another thing in each file
  std::vector<std::size_t> depths;  // sorted
  std::map<std::string_view, std::size_t> texts;
};
using ActsByWord = std::map<std::string, Acts, std::less<>>;

bool is_own(const Source& source, Index word, const Rule& rule) {
  const std::size_t hole = hole_at(source, word);
  if (hole != 0) return rule.holes[hole - 1].takes == Takes::name;
  const std::string_view text = source.text_of(word);
  return text == "this" || text == "super" || text == "exports" || text == "module";
}

ActsByWord acts_of(const Pattern::Side& side, const Rule& rule) {
  ActsByWord out;
  const Source& source = *side.source;
  for (Index i = side.span.first; i < source.at(side.span.last).after; ++i) {
    if (!is_act(source, i)) continue;
    const bool ends = is_statement(source.kind(i));  // return, throw
    const Index bottom = bottom_of(source, i);
    Acts& acts = out[ends ? std::to_string(static_cast<int>(source.kind(i)))
                          : std::string(source.text_of(bottom))];
    acts.is_own = acts.is_own || (!ends && is_own(source, bottom, rule));
    std::string around = source.functions_above(i, kNone);
    std::erase(around, '*');
    acts.depths.push_back(around.size());
    ++acts.texts[source.text_of(i)];
  }
  for (auto& [word, acts] : out) std::sort(acts.depths.begin(), acts.depths.end());
  return out;
}

const Acts& acts_by(const ActsByWord& all, const std::string& word) {
  static const Acts kNothing;
  const auto found = all.find(word);
  return found == all.end() ? kNothing : found->second;
}

/// Something is done in more functions than before, or in fewer.
bool is_moved(const Acts& before, const Acts& after) {
  const auto less = [](const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
    std::vector<std::size_t> gone;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(gone));
    return !gone.empty();
  };
  return less(before.depths, after.depths) && less(after.depths, before.depths);
}

/// What the file does by its own names may be anything elsewhere: it must not get lost, nor be done
/// twice. Empty if neither is so.
std::string objection(const ActsByWord& before, const ActsByWord& after) {
  for (const auto& [word, acts] : before) {
    if (!acts.is_own) continue;
    const Acts& then = acts_by(after, word);
    if (then.depths.size() < acts.depths.size()) return "loses what its file does on its own";
    for (const auto& [text, times] : acts.texts) {
      const auto again = then.texts.find(text);
      if (again != then.texts.end() && again->second > times) {
        return "repeats what its file does on its own";
      }
    }
  }
  return {};
}

/// Where a side has a hole: the functions around it, each time.
using Holds = std::vector<std::vector<std::string>>;

Result<Holds, std::string> holds_of(const Pattern::Side& side, std::size_t holes) {
  const Source& source = *side.source;
  Holds out(holes);
  for (Index i = 0; i < source.size(); ++i) {
    const Kind kind = source.kind(i);
    const Kind around = source.parent_kind(i);
    const bool is_text = kind == Kind::string_fragment || around == Kind::string ||
                         around == Kind::template_string || kind == Kind::other;
    const bool is_word = !is_text && source.at(i).after == i + 1 && is_hole(source.text_of(i));
    const std::size_t hole = hole_at(source, i);
    // What the package calls its export is no name of the file.
    const bool is_export = around == Kind::import_specifier && source.at(i).field != Field::alias;
    const bool may_be = hole != 0 && source.is_name(i) && !is_export;
    if ((is_word || hole != 0) && !may_be) return fail(std::string("has a hole where none can be"));
    if (hole > holes) return fail(std::string("has a hole that nothing is said of"));
    if (hole != 0) out[hole - 1].push_back(source.functions_above(i, kNone));
  }
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
  CG_TRY_ASSIGN(const Holds before, holds_of(out.before_, rule.holes.size()));
  CG_TRY_ASSIGN(const Holds after, holds_of(out.after_, rule.holes.size()));
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
  // What takes more than a name stands once on each side, in its order and in the same functions.
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
    if (before[i].empty()) return fail(std::string("has a hole that takes nothing"));
    if (is_name) continue;
    if (before[i].size() != 1 || after[i].size() != 1 || stays[i] != 1) {
      return fail(std::string("moves what is no name"));
    }
    if (before[i] != after[i]) {
      return fail(std::string("moves what is no name into another function"));
    }
  }
  const ActsByWord acts = acts_of(out.before_, rule);
  const ActsByWord then = acts_of(out.after_, rule);
  std::string wrong = objection(acts, then);
  if (!wrong.empty()) return fail(std::move(wrong));
  out.puts_off_ = std::any_of(acts.begin(), acts.end(), [&](const auto& one) {
    return is_moved(one.second, acts_by(then, one.first));
  });
  return out;
}

}  // namespace cg::carry
