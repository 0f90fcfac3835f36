#include "learn/carry/writer.h"

#include <algorithm>

#include "base/base/text.h"

// Token by token over the new side of a rule. One that was on the old side is copied out of the
// file, with what is carried within it. Between two tokens stands what stands there in the file, if
// the example had the same between them before and after; else what the example has there now, as
// this file indents. Of each node it is noted where it comes to stand: the text is read again, and
// must have the same ones.

namespace cg::carry {

namespace {

constexpr std::size_t kMaxText = 2 * syntax::kMaxFileBytes;

class Writer {
 public:
  Writer(const Hand& hand, const std::vector<Place>& places) : hand_(hand), places_(places) {}

  Result<Written, Refusal> all() {
    const auto size = static_cast<std::uint32_t>(hand_.source.text().size());
    CG_TRY(copy({0, size, kNone}, 0));
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

  /// Where a place of the file comes to stand, and what is behind it up to the next one.
  struct Move {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
  };

  /// A piece of the file, with what is carried within; `next` is the first place that may be. It is
  /// the whole of `node`; without one, of the file.
  Result<Done, Refusal> copy(const Token& piece, std::size_t next) {
    std::uint32_t from = piece.begin;
    std::vector<Move> moves{{from, here()}};
    std::vector<Span> written;
    for (; next < places_.size() && begin(next) < piece.end; ++next) {
      const bool is_within = begin(next) >= from && end(next) <= piece.end;
      if (!is_within || !places_[next].fits.front().second.pattern->changes()) continue;
      add_copy(from, begin(next));
      moves.push_back({begin(next), here()});
      CG_TRY(write(places_[next].fits.front().second, next));
      from = end(next);
      moves.push_back({from, here()});
      written.push_back(places_[next].span);
    }
    add_copy(from, piece.end);
    if (out_.text.size() > kMaxText) return fail(Refusal{0, "the result would be too long"});
    note_copied(piece.node, moves, written);
    return Done{};
  }

  [[nodiscard]] std::uint32_t here() const { return static_cast<std::uint32_t>(out_.text.size()); }
  void note(std::uint32_t begin, std::uint32_t end, Kind kind) {
    if (begin < end && kind != Kind::comment) out_.pieces.push_back({begin, end, kind});
  }

  void note_copied(Index node, const std::vector<Move>& moves, const std::vector<Span>& written) {
    const auto moved = [&](std::uint32_t at) {
      const auto next = std::upper_bound(
          moves.begin(), moves.end(), at,
          [](std::uint32_t offset, const Move& move) { return offset < move.from; });
      const Move& move = next == moves.begin() ? *next : *std::prev(next);
      return move.to + (at - move.from);
    };
    auto skip = written.begin();
    const Index after = node == kNone ? hand_.source.size() : hand_.source.at(node).after;
    for (Index i = node == kNone ? 1 : node; i < after;) {
      if (skip != written.end() && skip->first == i) {
        i = hand_.source.at(skip->last).after;
        ++skip;
        continue;
      }
      const syntax::Node& one = hand_.source.at(i);
      note(moved(one.begin), moved(one.end), one.kind);
      ++i;
    }
  }

  void add_copy(std::uint32_t from, std::uint32_t until) {
    if (from >= until) return;
    out_.copies.push_back({static_cast<std::uint32_t>(out_.text.size()), from, until - from});
    out_.text += hand_.source.text().substr(from, until - from);
  }

  Result<Done, Refusal> write(const Match& match, std::size_t place) {
    const Pattern::Side& ours = match.pattern->after();
    std::vector<std::size_t> used(match.tokens.size(), 0);
    std::vector<Move> written(ours.tokens.size());  // from where to where; nothing if left out
    for (std::size_t j = 0; j < ours.tokens.size(); ++j) {
      const std::size_t i = match.pattern->kept()[j];
      const bool is_semicolon = word_of(*ours.source, ours.tokens[j]) == ";";
      if (i != kApart && !match.tokens[i].is_there) continue;
      if (i == kApart && is_semicolon && !hand_.layout.semicolons) continue;
      if (j > 0) add_gap(match, j, used);
      written[j].from = here();
      if (i == kApart) {
        add_token(match, ours, ours.tokens[j]);
      } else if (match.tokens[i].node != kNone) {
        CG_TRY(copy({match.tokens[i].begin, match.tokens[i].end, match.tokens[i].node}, place + 1));
      } else {
        add_copy(match.tokens[i].begin, match.tokens[i].end);
      }
      written[j].to = here();
    }
    note_written(ours, written);
    for (std::size_t i = 1; i < match.tokens.size(); ++i) {
      if (!match.tokens[i].is_there || used[i] == 1) continue;
      if (!trim(gap_before(match, i)).empty()) {
        return stop(match, "a comment stands within what changes");
      }
    }
    return Done{};
  }

  /// The nodes of a rule that are more than a token.
  void note_written(const Pattern::Side& ours, const std::vector<Move>& written) {
    const Source& source = *ours.source;
    const auto token_at = [&](std::uint32_t at) {
      const auto found = std::lower_bound(
          ours.tokens.begin(), ours.tokens.end(), at,
          [](const Token& token, std::uint32_t offset) { return token.begin < offset; });
      return static_cast<std::size_t>(found - ours.tokens.begin());
    };
    for (Index i = ours.span.first; i < source.at(ours.span.last).after;) {
      const syntax::Node& node = source.at(i);
      std::size_t first = token_at(node.begin);
      std::size_t last = token_at(node.end);
      if (first < last && ours.tokens[first].node == i) {
        i = node.after;
        continue;
      }
      while (first < last && written[first].from == written[first].to) ++first;
      while (first < last && written[last - 1].from == written[last - 1].to) --last;
      if (first < last) note(written[first].from, written[last - 1].to, node.kind);
      ++i;
    }
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
    const std::uint32_t start = here();
    if (token.node == kNone) {
      out_.text += word;
      return;
    }
    if (const std::size_t hole = hole_at(ours, token.node); hole != 0) {
      return add_name(match, hole, ours.kind(token.node));
    }
    if (const std::size_t hole = hole_behind(ours, token.node, match.pattern->rule()); hole != 0) {
      return add_keyed(match, ours, token.node, hole);
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
    note_spelled(ours, token.node, start);
  }

  /// As the rule spells it, from here on.
  void note_spelled(const Source& ours, Index node, std::uint32_t start) {
    const std::uint32_t base = ours.at(node).begin;
    for (Index i = node; i < ours.at(node).after; ++i) {
      note(start + (ours.at(i).begin - base), start + (ours.at(i).end - base), ours.kind(i));
    }
  }

  /// `key: $1`, which may become `key` alone.
  void add_keyed(const Match& match, const Source& ours, Index node, std::size_t hole) {
    const Kind kind = ours.kind(node);
    const bool is_import = kind == Kind::import_specifier;
    const Index key = ours.syntax().child(node, is_import ? Field::name : Field::key);
    const Index name = ours.syntax().child(node, is_import ? Field::alias : Field::value);
    const std::uint32_t start = here();
    if (ours.text_of(key) != hand_.source.text_of(match.holes[hole - 1])) {
      out_.text += ours.text_of(key);
      note_spelled(ours, key, start);
      out_.text += is_import ? " as " : ": ";
      add_name(match, hole, ours.kind(name));
      note(start, here(), kind);
    } else if (is_import) {
      add_name(match, hole, ours.kind(key));
      note(start, here(), kind);
    } else {
      add_name(match, hole,
               kind == Kind::pair ? Kind::shorthand_property_identifier
                                  : Kind::shorthand_property_identifier_pattern);
    }
  }

  void add_name(const Match& match, std::size_t hole, Kind kind) {
    const syntax::Node& node = hand_.source.at(match.holes[hole - 1]);
    const std::uint32_t start = here();
    add_copy(node.begin, node.end);
    note(start, here(), kind);
  }

  const Hand& hand_;
  const std::vector<Place>& places_;
  Written out_;
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
