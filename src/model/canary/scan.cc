// How a text is looked at, and how a hit finds its way back.
//
// Patterns are written for plain words in small letters. Who hides an order writes it so that a
// reader sees these words and a search does not. So the text is searched in several forms, each of
// which undoes one kind of hiding:
//
//   as given   Ignоre  <b>all</b> rules      the o is a Cyrillic letter
//   folded     ignore <b>all</b> rules      letters made one, white space collapsed
//   undone     ignore all rules             markup, entities and escapes too, if there are any
//
// Of the text folded rot13 and the reverse are made, and of both forms "leet" (1gn0re) and
// "squeezed" (i g n o r e), but only of pieces in which a word has a digit in it, or single letters
// stand apart. Runs of base64, base32, hex and character codes are decoded; what comes out is
// folded, undone and searched for runs again.
//
// A hit must be told in bytes as given, since that is what will be cut out. Nothing is compared
// for that: whoever makes a form keeps the way back, and a hit is put through these ways from the
// innermost form outwards, each being the function `given` of the one around it.
//
//   a piece    runs (place in the form, place before, size). Size 0: byte by byte from there on;
//              else what follows was made of one character of so many bytes. "Ignоre" becomes
//              "\nignore" with the runs (1,0,0) (4,3,2) (5,5,0): the hit at [1,7) begins in the
//              first of these, at 0, and ends in the last, at 5 + (7-5) = 7. A hit is always of
//              whole characters.
//   rot13      and leet change no length: the place is the place
//   reversed   counted from the other end
//   squeezed   a list, for every letter, of where it was
//   decoded    blocks of 256 symbols, each with the bytes it came from: the hit is told to a block
//
// Forms come in pieces of 32 KiB. A piece begins with the last KiB of the one before, and a match
// of words has at most 192 bytes (find.cc), so a phrase is whole in some piece; what two pieces
// both show is one hit.
//
// It ends, and in time linear in the text: every reader goes over its text once, a decoded text is
// shorter than its run, encodings in each other are followed kDeepest deep (then the scan says that
// it gave up), and each of the three ways to look (folded, undone, decoded) stops once it has more
// hits than are told.
#include "model/canary/scan.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <tuple>
#include <utility>

#include "model/canary/decode.h"
#include "model/canary/forms.h"
#include "model/canary/markup.h"
#include "model/canary/patterns.h"

namespace cg::canary {
namespace {

constexpr std::size_t kDeepest = 2;  // of encodings inside each other
constexpr std::size_t kMostPlaces =
    2 * kMaxHits;  // of one piece: its overlap may give the same ones again

auto order_of(const Hit& hit) { return std::tuple(hit.span.begin, hit.pattern, hit.span.end); }

void sort_hits(std::vector<Hit>& hits) {
  std::stable_sort(hits.begin(), hits.end(),
                   [](const Hit& a, const Hit& b) { return order_of(a) < order_of(b); });
  const auto same = [](const Hit& a, const Hit& b) { return order_of(a) == order_of(b); };
  hits.erase(std::unique(hits.begin(), hits.end(), same), hits.end());
}

/// One way to look at the whole text. It stops when it has found more than can be told: what
/// lies behind is past the last hit that is told, whatever other ways find.
class Stage {
 public:
  explicit Stage(SourceKind kind) : kind_(kind) {}
  [[nodiscard]] bool full() const { return hits_.size() > kMaxHits; }
  [[nodiscard]] std::vector<Hit>& hits() { return hits_; }

  /// Patterns in `text`; `given` says where a part of it comes from.
  template <class Given>
  void look(std::string_view text, Spacing spacing, std::string_view form, const Given& given) {
    if (text.empty() || full()) return;
    find(text, spacing, kind_, kMostPlaces, found_);
    for (const Found& found : found_) {
      const Pattern& pattern = patterns()[found.pattern];
      add({pattern.id, pattern.family, form, given(found.span.begin, found.span.end)});
      if (full()) return;
    }
  }
  void add(const Hit& hit) {
    const auto same = [&](const Hit& other) { return order_of(other) == order_of(hit); };
    if (std::none_of(hits_.begin(), hits_.end(), same)) hits_.push_back(hit);
  }
  [[nodiscard]] SourceKind kind() const { return kind_; }

 private:
  SourceKind kind_;
  std::vector<Hit> hits_;
  std::vector<Found> found_;
};

/// The forms that are made of a piece of another.
class Derived {
 public:
  enum class Which { all, spelling };  // `spelling`: not the ones that turn a text into another
  Derived(Stage& stage, Which which) : stage_(stage), which_(which) {}

  template <class Given>
  void look(const Piece& piece, std::string_view form, const Given& given) {
    const std::string_view text = piece.text();
    const auto same = [&](std::size_t begin, std::size_t end) {
      return given(piece.given(begin, end));
    };
    stage_.look(text, Spacing::spaced, form, same);
    if (which_ == Which::all) {
      rot13(text, other_);
      stage_.look(other_, Spacing::spaced, "rot13", same);
      reversed(text, other_);
      stage_.look(other_, Spacing::spaced, "reversed", [&](std::size_t begin, std::size_t end) {
        // It has a newline before it.
        const std::size_t first = begin == 0 ? 0 : begin - 1;
        return same(text.size() - std::max(end - 1, first + 1), text.size() - first);
      });
    }
    if (piece.mixed) {
      unleeted(text, other_);
      stage_.look(other_, Spacing::words, "leet", same);
    }
    const auto from = [&](std::size_t begin, std::size_t end) {
      return same(squeezed_.from[begin], squeezed_.from[end - 1] + 1);
    };
    if (piece.spaced) {
      squeeze(text, squeezed_);
      stage_.look(squeezed_.text, Spacing::squeezed, "squeezed", from);
    }
    for (const Hidden& hidden : piece.hidden) {
      const HiddenRule& rule = hidden_rule(hidden.kind);
      if (applies(rule.kinds, stage_.kind()))
        stage_.add({rule.id, rule.family, form, given(hidden.span)});
    }
  }

 private:
  Stage& stage_;
  Which which_;
  std::string other_;
  Squeezed squeezed_;
};

class Scanner {
 public:
  explicit Scanner(SourceKind kind) : kind_(kind) {}

  Scan run(std::string_view text) {
    const auto itself = [](Span span) { return span; };
    {
      Stage stage(kind_);
      const bool invisible =
          forms(stage, text, FormReader::Form::folded, "folded", Derived::Which::all, itself);
      take(stage);
      if (invisible || has_markup(text)) {
        Stage undone(kind_);
        forms(undone, text, FormReader::Form::undone, "undone", Derived::Which::spelling, itself);
        take(undone);
      }
    }
    Stage decoded(kind_);
    runs(decoded, text, 1, {}, itself);
    take(decoded);
    sort_hits(out_.hits);
    if (out_.hits.size() > kMaxHits) {
      out_.more = true;
      out_.hits.resize(kMaxHits);
    }
    return std::move(out_);
  }

 private:
  void take(Stage& stage) {
    out_.more = out_.more || stage.full();
    out_.hits.insert(out_.hits.end(), stage.hits().begin(), stage.hits().end());
  }

  template <class Given>
  bool forms(Stage& stage, std::string_view text, FormReader::Form form, std::string_view name,
             Derived::Which which, const Given& given) {
    FormReader reader(text, form);
    Piece piece;
    Derived derived(stage, which);
    while (!stage.full() && reader.next(piece)) derived.look(piece, name, given);
    return reader.saw_invisible();
  }

  /// Encoded runs; what they decode to is folded, undone and searched for runs again.
  template <class Given>
  void runs(Stage& stage, std::string_view text, std::size_t depth, std::string_view outer,
            const Given& given) {
    RunReader reader(text);
    Decoded decoded;
    while (!stage.full() && reader.next(decoded)) {
      if (depth > kDeepest) {
        out_.gave_up = true;
        return;
      }
      const std::string_view name = outer.empty() ? decoded.form : outer;
      const auto there = [&](Span span) {
        return given(decoded.given(span.begin, std::max(span.end, span.begin + 1)));
      };
      forms(stage, decoded.text, FormReader::Form::folded, name, Derived::Which::spelling, there);
      if (has_markup(decoded.text)) {
        forms(stage, decoded.text, FormReader::Form::undone, name, Derived::Which::spelling, there);
      }
      deeper(stage, decoded.text, depth + 1, name, [&](Span span) { return there(span); });
    }
  }
  void deeper(Stage& stage, std::string_view text, std::size_t depth, std::string_view outer,
              const std::function<Span(Span)>& given) {
    runs(stage, text, depth, outer, given);
  }

  SourceKind kind_;
  Scan out_;
};

}  // namespace

Scan scan(std::string_view text, SourceKind kind) { return Scanner(kind).run(text); }

}  // namespace cg::canary
