#include "learn/carry/writer.h"

#include <algorithm>

#include "base/base/text.h"

// Token by token over the new side of a rule. One that was on the old side is copied out of the
// file, with what is carried within it. Between two tokens stands what stands there in the file, if
// the example had the same between them before and after; else what the example has there now, as
// this file indents.

namespace cg::carry {

namespace {

constexpr std::size_t kMaxText = 2 * syntax::kMaxFileBytes;

class Writer {
 public:
  Writer(const Hand& hand, const std::vector<Place>& places) : hand_(hand), places_(places) {}

  Result<Written, Refusal> all() {
    CG_TRY(copy(0, static_cast<std::uint32_t>(hand_.source.text().size()), 0));
    return std::move(out_);
  }
  Result<Written, Refusal> one(std::size_t place, const Match& match) {
    CG_TRY(write(match, place));
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::uint32_t begin(std::size_t place) const {
    return hand_.source.begin_of(places_[place].span);
  }
  [[nodiscard]] std::uint32_t end(std::size_t place) const {
    return hand_.source.end_of(places_[place].span);
  }
  [[nodiscard]] Failure<Refusal> stop(const Match& match, std::string why) const {
    return fail(Refusal{hand_.source.line_of(match.span.first), std::move(why)});
  }

  /// Of the file, with what is carried within; `next` is the first place that may be.
  Result<Done, Refusal> copy(std::uint32_t from, std::uint32_t until, std::size_t next) {
    for (; next < places_.size() && begin(next) < until; ++next) {
      const bool is_within = begin(next) >= from && end(next) <= until;
      if (!is_within || !places_[next].fits.front().second.pattern->changes()) continue;
      add_copy(from, begin(next));
      CG_TRY(write(places_[next].fits.front().second, next));
      from = end(next);
    }
    add_copy(from, until);
    if (out_.text.size() > kMaxText) return fail(Refusal{0, "the result would be too long"});
    return Done{};
  }

  void add_copy(std::uint32_t from, std::uint32_t until) {
    if (from >= until) return;
    out_.copies.push_back({static_cast<std::uint32_t>(out_.text.size()), from, until - from});
    out_.text += hand_.source.text().substr(from, until - from);
  }

  Result<Done, Refusal> write(const Match& match, std::size_t place) {
    const Pattern::Side& ours = match.pattern->after();
    std::vector<std::size_t> used(match.tokens.size(), 0);
    for (std::size_t j = 0; j < ours.tokens.size(); ++j) {
      const std::size_t i = match.pattern->kept()[j];
      const std::string_view word = word_of(*ours.source, ours.tokens[j]);
      if (i != kApart && !match.tokens[i].is_there) continue;
      if (i == kApart && word == ";" && !hand_.layout.semicolons) {
        skipped_ = true;
        continue;
      }
      if (j > 0) add_gap(match, j, used);
      // Without a semicolon the next line would go on with this one.
      const char head = i == kApart ? word.front() : hand_.source.text()[match.tokens[i].begin];
      if (skipped_ && std::string_view("([`/+-").find(head) != std::string_view::npos) {
        return stop(match, "without semicolons the result would mean something else");
      }
      skipped_ = false;
      if (i != kApart) {
        CG_TRY(copy(match.tokens[i].begin, match.tokens[i].end, place + 1));
      } else {
        add_token(match, ours, ours.tokens[j]);
      }
    }
    if (skipped_) {
      const std::uint32_t after = end(place);
      const std::size_t next = hand_.source.text().find_first_not_of(" \t\r\n", after);
      if (next != std::string_view::npos &&
          std::string_view("([`/+-").find(hand_.source.text()[next]) != std::string_view::npos) {
        return stop(match, "without semicolons the result would mean something else");
      }
      skipped_ = false;
    }
    for (std::size_t i = 1; i < match.tokens.size(); ++i) {
      if (!match.tokens[i].is_there || used[i] == 1) continue;
      if (!trim(gap_before(match, i)).empty()) {
        return stop(match, "a comment stands within what changes");
      }
    }
    return Done{};
  }

  /// Of the file: what stands before a token of the old side.
  [[nodiscard]] std::string_view gap_before(const Match& match, std::size_t i) const {
    const std::uint32_t begin = gap_begin(match, i);
    return hand_.source.text().substr(begin, match.tokens[i].begin - begin);
  }
  [[nodiscard]] static std::uint32_t gap_begin(const Match& match, std::size_t i) {
    for (std::size_t n = i; n-- > 0;) {
      if (match.tokens[n].is_there) return match.tokens[n].end;
    }
    return match.tokens[i].begin;
  }

  static std::string_view gap_of(const Pattern::Side& side, std::size_t i) {
    const std::uint32_t begin = side.tokens[i - 1].end;
    return side.source->text().substr(begin, side.tokens[i].begin - begin);
  }

  void add_gap(const Match& match, std::size_t j, std::vector<std::size_t>& used) {
    const Pattern& pattern = *match.pattern;
    const std::string_view ours = gap_of(pattern.after(), j);
    const std::size_t here = pattern.kept()[j];
    const std::size_t before = pattern.kept()[j - 1];
    std::size_t i = kApart;
    if (here != kApart && here > 0 && gap_of(pattern.before(), here) == ours) {
      i = here;
    } else if (before != kApart && before + 1 < match.tokens.size() &&
               gap_of(pattern.before(), before + 1) == ours) {
      i = before + 1;
    }
    if (i != kApart && match.tokens[i].is_there) {
      ++used[i];
      const std::uint32_t begin = gap_begin(match, i);
      add_copy(begin, match.tokens[i].begin);
      return;
    }
    // The example's, as this file is laid out.
    const std::size_t lines = static_cast<std::size_t>(std::count(ours.begin(), ours.end(), '\n'));
    for (std::size_t n = 0; n < lines; ++n) out_.text += hand_.layout.line_end;
    if (lines == 0) {
      out_.text += ours;
      return;
    }
    out_.text += margin_at(hand_.source.text(), hand_.source.begin_of(match.span));
    std::string_view rest = ours.substr(ours.rfind('\n') + 1);
    while (!hand_.from.indent.empty() && rest.starts_with(hand_.from.indent)) {
      out_.text += hand_.layout.indent;
      rest.remove_prefix(hand_.from.indent.size());
    }
    out_.text += rest;
  }

  void add_token(const Match& match, const Pattern::Side& side, const Token& token) {
    const Source& ours = *side.source;
    const std::string_view word = word_of(ours, token);
    if (token.node == kNone) {
      out_.text += word;
      return;
    }
    if (const std::size_t hole = hole_at(ours, token.node); hole != 0) return add_name(match, hole);
    if (const std::size_t hole = hole_behind(ours, token.node, match.pattern->rule()); hole != 0) {
      const bool is_import = ours.kind(token.node) == Kind::import_specifier;
      const Index key = ours.syntax().child(token.node, is_import ? Field::name : Field::key);
      const Index name = match.holes[hole - 1];
      if (ours.text_of(key) != hand_.source.text_of(name)) {
        out_.text += std::string(ours.text_of(key)) + (is_import ? " as " : ": ");
      }
      return add_name(match, hole);
    }
    const bool is_string = ours.kind(token.node) == Kind::string && word.size() >= 2 &&
                           word.substr(0, 1) == hand_.from.quote &&
                           ours.parent_kind(token.node) != Kind::jsx_attribute;
    const std::string_view inner = is_string ? word.substr(1, word.size() - 2) : "";
    if (is_string && inner.find_first_of("'\"\\") == std::string_view::npos) {
      out_.text += hand_.layout.quote + std::string(inner) + hand_.layout.quote;
    } else {
      out_.text += word;
    }
  }

  void add_name(const Match& match, std::size_t hole) {
    const syntax::Node& node = hand_.source.at(match.holes[hole - 1]);
    add_copy(node.begin, node.end);
  }

  const Hand& hand_;
  const std::vector<Place>& places_;
  Written out_;
  bool skipped_ = false;  // a semicolon, and nothing since
};

}  // namespace

Result<Written, Refusal> write_all(const Hand& hand, const std::vector<Place>& places) {
  return Writer(hand, places).all();
}

Result<Written, Refusal> write_one(const Hand& hand, const std::vector<Place>& places,
                                   std::size_t place, const Match& match) {
  return Writer(hand, places).one(place, match);
}

}  // namespace cg::carry
