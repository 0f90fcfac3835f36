#include "learn/carry/match.h"

#include <algorithm>
#include <map>

#include "base/base/text.h"
#include "learn/carry/pattern.h"
#include "learn/carry/spell.h"

// Pattern and file are walked side by side, node by node: same kinds, as many children, leaves
// spelled alike; where the pattern has a hole, the file may have what the hole takes. Then the
// tokens of both are gone through once more, since operators and keywords are no nodes.

namespace cg::carry {

namespace {

bool is_optional(const Source& source, const std::vector<Token>& tokens, std::size_t i) {
  if (tokens[i].node != kNone) return false;
  const std::string_view word = word_of(source, tokens[i]);
  if (word == ";") return true;
  if (word != ",") return false;
  if (i + 1 >= tokens.size()) return false;
  const std::string_view next = word_of(source, tokens[i + 1]);
  return next == "}" || next == ")" || next == "]";
}

std::string shown(std::string_view text) {
  const std::string_view head = cut_utf8(text, 1024);  // it may be the whole file
  std::string out;
  for (const char c : head) {
    const bool is_space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (is_space && (out.empty() || out.back() == ' ')) continue;
    out += is_space ? ' ' : c;
  }
  const std::string_view start = cut_utf8(out, 60);
  const bool is_all = start.size() == out.size() && head.size() == text.size();
  return "`" + std::string(start) + (is_all ? "" : " …") + "`";
}

class Matcher {
 public:
  Matcher(const Pattern& pattern, const Source& source, const std::set<Index>& chains)
      : pattern_(pattern), p_(*pattern.before().source), t_(source), chains_(chains) {}

  Result<Match, Mismatch> run(Index first) {
    out_.pattern = &pattern_;
    out_.holes.assign(pattern_.rule().holes.size(), kNone);
    Index theirs = first;
    Index last = first;
    const Span& span = pattern_.before().span;
    for (const Index ours : roots(span)) {
      while (theirs != kNone && t_.kind(theirs) == Kind::comment) {
        theirs = t_.syntax().next_sibling(theirs);
      }
      if (theirs == kNone) return stop(ours, first, "the example had more statements here");
      last = theirs;
      root_ = theirs;
      CG_TRY(node(ours, theirs));
      theirs = t_.syntax().next_sibling(theirs);
    }
    out_.span = {first, last};
    for (std::size_t i = 0; i < out_.holes.size(); ++i) {
      if (out_.holes[i] == kNone) return stop(span.first, first, "a hole of the rule took nothing");
      const Index binding = t_.is_name(out_.holes[i]) ? t_.binding_of(out_.holes[i]) : kNone;
      const bool inside = binding != kNone && t_.is_within(t_.declaration_of(binding), out_.span);
      if (pattern_.rule().holes[i].takes == Takes::own && !inside) {
        return stop(span.first, out_.holes[i], "its name is declared elsewhere");
      }
    }
    CG_TRY(tokens());
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::vector<Index> roots(const Span& span) const {
    std::vector<Index> out;
    for (Index i = span.first; i != kNone && i <= span.last; i = p_.syntax().next_sibling(i)) {
      out.push_back(i);
    }
    return out;
  }

  [[nodiscard]] Failure<Mismatch> stop(Index ours, Index theirs, std::string why) const {
    return fail(Mismatch{p_.at(ours).begin, {t_.line_of(theirs), std::move(why)}});
  }
  [[nodiscard]] Failure<Mismatch> differ(Index ours, Index theirs) const {
    return stop(
        ours, theirs,
        shown(t_.text_of(theirs)) + " stands where the example had " + shown(p_.text_of(ours)));
  }

  Result<Done, Mismatch> node(Index ours, Index theirs) {
    if (const std::size_t hole = hole_at(p_, ours); hole != 0) return take(hole, ours, theirs);
    if (const std::size_t hole = hole_behind(p_, ours, pattern_.rule()); hole != 0) {
      return keyed(hole, ours, theirs);
    }
    const bool is_root = theirs == root_;
    if (p_.kind(ours) != t_.kind(theirs)) return differ(ours, theirs);
    if (!is_root && p_.at(ours).field != t_.at(theirs).field) return differ(ours, theirs);
    // Names that the rule spells are global ones.
    const bool is_global = p_.is_name(ours) && p_.binding_of(ours) == kNone;
    if (is_global && t_.is_name(theirs) && t_.binding_of(theirs) != kNone) {
      return stop(
          ours, theirs,
          shown(t_.text_of(theirs)) + " is a name of the file, and was none of the example's");
    }
    const std::vector<Index> mine = p_.children(ours);
    const std::vector<Index> yours = t_.children(theirs);
    if (p_.kind(ours) == Kind::string || (mine.empty() && yours.empty())) {
      const Token a{p_.at(ours).begin, p_.at(ours).end, ours};
      const Token b{t_.at(theirs).begin, t_.at(theirs).end, theirs};
      return is_alike(p_, a, t_, b) ? Result<Done, Mismatch>(Done{}) : differ(ours, theirs);
    }
    if (mine.size() != yours.size()) {
      const bool is_call = p_.kind(ours) == Kind::arguments;
      if (!is_call) return differ(ours, theirs);
      return stop(ours, theirs,
                  "the call has " + counted(yours.size(), "argument", "arguments") +
                      ", the example's had " + std::to_string(mine.size()));
    }
    for (std::size_t i = 0; i < mine.size(); ++i) CG_TRY(node(mine[i], yours[i]));
    return Done{};
  }

  /// `key: $1` may stand as `key` alone.
  Result<Done, Mismatch> keyed(std::size_t hole, Index ours, Index theirs) {
    const Kind kind = t_.kind(theirs);
    Index value = kNone;
    Index key = kNone;
    if (p_.kind(ours) == Kind::import_specifier) {
      if (kind != Kind::import_specifier) return differ(ours, theirs);
      key = t_.syntax().child(theirs, Field::name);
      const Index alias = t_.syntax().child(theirs, Field::alias);
      value = alias == kNone ? key : alias;
      if (p_.text_of(p_.syntax().child(ours, Field::name)) != t_.text_of(key) ||
          t_.at(theirs).begin != t_.at(key).begin) {
        return differ(ours, theirs);
      }
    } else if (kind == p_.kind(ours)) {
      key = t_.syntax().child(theirs, Field::key);
      value = t_.syntax().child(theirs, Field::value);
    } else {
      const bool is_short =
          (kind == Kind::shorthand_property_identifier && p_.kind(ours) == Kind::pair) ||
          (kind == Kind::shorthand_property_identifier_pattern &&
           p_.kind(ours) == Kind::pair_pattern);
      if (!is_short) return differ(ours, theirs);
      key = value = theirs;
    }
    const Index our_key = p_.syntax().child(ours, Field::key);
    if (key == kNone || value == kNone) return differ(ours, theirs);
    if (our_key != kNone && (t_.kind(key) == Kind::computed_property_name ||
                             p_.meanings().word_of(our_key) != t_.meanings().word_of(key))) {
      return differ(ours, theirs);
    }
    CG_TRY(take(hole, ours, value));
    whole_.insert(theirs);
    return Done{};
  }

  Result<Done, Mismatch> take(std::size_t number, Index ours, Index theirs) {
    const Hole& hole = pattern_.rule().holes[number - 1];
    Index& taken = out_.holes[number - 1];
    whole_.insert(theirs);
    switch (hole.takes) {
      case Takes::use:
        if (!chains_.contains(theirs))
          return stop(ours, theirs,
                      shown(t_.text_of(theirs)) + " is no use of the package, the example's was");
        break;
      case Takes::number:
        if (t_.kind(theirs) != Kind::number) return differ(ours, theirs);
        break;
      case Takes::function:
        CG_TRY(function(hole, ours, theirs));
        break;
      case Takes::value:
        CG_TRY(value(hole, ours, theirs));
        break;
      default:
        return named(hole, taken, ours, theirs);
    }
    if (taken != kNone) return differ(ours, theirs);
    taken = theirs;
    return Done{};
  }

  Result<Done, Mismatch> function(const Hole& hole, Index ours, Index theirs) {
    const Kind kind = t_.kind(theirs);
    if (kind != Kind::arrow_function && kind != Kind::function_expression) {
      return stop(ours, theirs,
                  shown(t_.text_of(theirs)) + " stands where the example had a function");
    }
    const Taking taking = taking_of(t_, theirs);
    if (std::to_string(taking.parameters) != hole.member) {
      return stop(ours, theirs,
                  "the function has " + counted(taking.parameters, "parameter", "parameters") +
                      ", the example's had " + hole.member);
    }
    const bool was_async = std::binary_search(hole.keys.begin(), hole.keys.end(), "async");
    const bool is_async = std::binary_search(taking.keys.begin(), taking.keys.end(), "async");
    if (was_async != is_async) return stop(ours, theirs, "one of the functions is async, not both");
    for (const std::string& key : taking.keys) {
      if (std::binary_search(hole.keys.begin(), hole.keys.end(), key)) continue;
      return stop(ours, theirs,
                  "the function uses its parameters otherwise than the example's: " + key);
    }
    return Done{};
  }

  Result<Done, Mismatch> value(const Hole& hole, Index ours, Index theirs) {
    const Kind kind = t_.kind(theirs);
    if (!is_opaque(kind) && kind != Kind::string && kind != Kind::number &&
        kind != Kind::shorthand_property_identifier) {
      return stop(
          ours, theirs,
          shown(t_.text_of(theirs)) + " stands where the example had a value that says less");
    }
    return keys(hole, ours, theirs);
  }

  Result<Done, Mismatch> keys(const Hole& hole, Index ours, Index theirs) {
    const auto behind = t_.is_name(theirs) ? keys_behind(t_, theirs) : std::nullopt;
    const bool alike =
        hole.member == "object" ? behind && *behind == hole.keys : !behind.has_value();
    if (alike) return Done{};
    return stop(ours, theirs,
                "the object that " + shown(t_.text_of(theirs)) +
                    " stands for has other keys than the example's");
  }

  Result<Done, Mismatch> named(const Hole& hole, Index& taken, Index ours, Index theirs) {
    const bool is_word = t_.is_name(theirs);
    const Index binding = is_word ? t_.binding_of(theirs) : kNone;
    const bool is_type = t_.kind(theirs) == Kind::type_identifier;
    if (binding == kNone || is_type != (p_.kind(ours) == Kind::type_identifier)) {
      return stop(ours, theirs,
                  shown(t_.text_of(theirs)) + " stands where the example had a name of its file");
    }
    const Meaning meaning = t_.meanings().of_binding(binding);
    if (hole.takes == Takes::package &&
        (meaning.kind == Meaning::Kind::nothing || meaning.kind == Meaning::Kind::instance ||
         meaning.is_deeper || member_of(meaning) != hole.member ||
         t_.syntax().constant(meaning.source) != hole.source)) {
      return stop(ours, theirs,
                  shown(t_.text_of(theirs)) + " is not " +
                      (hole.member == "*" || hole.member == "default"
                           ? "what the example imported"
                           : "the export that the example used"));
    }
    if (hole.takes == Takes::made && meaning.kind != Meaning::Kind::instance &&
        meaning.kind != Meaning::Kind::member && meaning.kind != Meaning::Kind::whole) {
      return stop(ours, theirs, shown(t_.text_of(theirs)) + " is nothing that the package gave");
    }
    if (hole.takes == Takes::name) {
      if (meaning.kind != Meaning::Kind::nothing) {
        return stop(ours, theirs,
                    shown(t_.text_of(theirs)) + " comes out of the package, the example's did not");
      }
      CG_TRY(keys(hole, ours, theirs));
    }
    if (taken != kNone) {
      return t_.binding_of(taken) == binding ? Result<Done, Mismatch>(Done{})
                                             : differ(ours, theirs);
    }
    const auto [other, is_new] = bindings_.emplace(binding, &taken);
    if (!is_new && other->second != &taken) {
      return stop(ours, theirs, shown(t_.text_of(theirs)) + " stands for two names of the example");
    }
    taken = theirs;
    return Done{};
  }

  Result<Done, Mismatch> tokens() {
    const std::vector<Token>& mine = pattern_.before().tokens;
    const std::vector<Token> yours =
        tokens_of(t_, out_.span, [&](Index i) { return whole_.contains(i); });
    std::size_t j = 0;
    for (std::size_t i = 0; i < mine.size(); ++i) {
      const bool is_whole =
          mine[i].node != kNone &&
          (hole_at(p_, mine[i].node) != 0 || hole_behind(p_, mine[i].node, pattern_.rule()) != 0);
      const auto fits = [&] {
        if (j == yours.size()) return false;
        if (is_whole) return yours[j].node != kNone && whole_.contains(yours[j].node);
        return is_alike(p_, mine[i], t_, yours[j]);
      };
      while (j < yours.size() && !fits() && is_optional(t_, yours, j)) ++j;
      if (fits()) {
        out_.tokens.push_back({yours[j].begin, yours[j].end, true, yours[j].node});
        ++j;
      } else if (is_optional(p_, mine, i)) {
        const std::uint32_t at = j == 0 ? t_.begin_of(out_.span) : yours[j - 1].end;
        out_.tokens.push_back({at, at, false, kNone});
      } else {
        return fail(Mismatch{
            mine[i].begin,
            {t_.line_of(out_.span.first),
             "it is written otherwise than " + shown(std::string_view(pattern_.rule().before))}});
      }
    }
    while (j < yours.size() && is_optional(t_, yours, j)) ++j;
    if (j != yours.size()) {
      return stop(pattern_.before().span.first, out_.span.first, "it is written otherwise");
    }
    return Done{};
  }

  const Pattern& pattern_;
  const Source& p_;
  const Source& t_;
  const std::set<Index>& chains_;
  Index root_ = kNone;
  Match out_;
  std::set<Index> whole_;
  std::map<Index, const Index*> bindings_;
};

}  // namespace

Result<Match, Mismatch> match(const Pattern& pattern, const Source& source, Index first,
                              const std::set<Index>& chains) {
  return Matcher(pattern, source, chains).run(first);
}

}  // namespace cg::carry
