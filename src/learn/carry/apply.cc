#include <algorithm>
#include <map>

#include "base/base/text.h"
#include "learn/carry/check.h"
#include "learn/carry/writer.h"
#include "model/rewrite/rewrite.h"

// First those rules that are more than a use look for their place everywhere; then each use that is
// not within such a place looks for its rule. A use that finds none refuses the file. Rules that
// fit may be several if all write the same. Writing goes over the new side token by token: one that
// was on the old side is copied out of the file, with the white space and comments before it.

namespace cg::carry {

namespace {

constexpr std::size_t kMaxTried = 4096;  // pieces that a rule may begin at
constexpr std::size_t kMaxPlaces = 512;
constexpr std::uint32_t kPutsOff = ~0U;  // deeper than any mismatch
constexpr const char* kFollowed = "what follows it would no longer do so";
constexpr const char* kSeveral = "two rules of the example fit, and not the same";

/// Something is reached after it within its function, or it is reached again.
bool is_followed(const Source& source, const Span& span) {
  for (Index at = span.last; at != 0 && !syntax::is_function(source.kind(at));
       at = source.parent(at)) {
    switch (source.kind(at)) {
      case Kind::for_statement:
      case Kind::for_in_statement:
      case Kind::while_statement:
      case Kind::do_statement:
      case Kind::try_statement:
      case Kind::switch_statement:
        return true;
      default:
        break;
    }
    for (Index next = source.syntax().next_sibling(at); next != kNone;
         next = source.syntax().next_sibling(next)) {
      const Kind kind = source.kind(next);
      const bool is_exported = kind == Kind::export_statement;
      const Index what = is_exported ? source.syntax().first_child(next) : next;
      switch (source.kind(what)) {
        case Kind::comment:
        case Kind::function_declaration:
        case Kind::generator_function_declaration:
        case Kind::interface_declaration:
        case Kind::type_alias_declaration:
          break;
        default:
          return true;
      }
    }
  }
  return false;
}

class Carrier {
 public:
  Carrier(const Template& from, const File& file, const Source& source, const Uses& uses)
      : from_(from), file_(file), t_(source), uses_(uses) {
    for (const Use& use : uses.all) chains_.insert(use.chain);
  }

  Result<std::string, Refusal> run() {
    for (const Rule& rule : from_.rules) {
      auto pattern = Pattern::of(rule, from_.language);
      if (!pattern) return fail(Refusal{0, "a rule of the example " + pattern.error()});
      patterns_.push_back(*std::move(pattern));
      const bool is_import = rule.form == Rule::Form::import;
      is_about_imports_ = is_about_imports_ && (is_import || !patterns_.back().changes());
    }
    CG_TRY(find_wide());
    CG_TRY(find_uses());
    std::sort(places_.begin(), places_.end(), [&](const Place& a, const Place& b) {
      return std::pair(t_.begin_of(a.span), t_.end_of(b.span)) <
             std::pair(t_.begin_of(b.span), t_.end_of(a.span));
    });
    CG_TRY(keep_made());
    const Hand hand{t_, from_, layout_of(t_)};
    CG_TRY_ASSIGN(const std::vector<std::size_t> open, open_places(hand));
    if (open.empty()) return written(hand);
    if (open.size() > 1) return stop(places_[open[1]].span.first, kSeveral);
    return chosen(hand, places_[open.front()]);
  }

 private:
  [[nodiscard]] Failure<Refusal> stop(Index at, std::string why) const {
    return fail(Refusal{t_.line_of(at), std::move(why)});
  }

  [[nodiscard]] bool has_use(const Span& span) const {
    const auto inside = [&](Index node) { return t_.is_within(node, span); };
    return std::any_of(uses_.all.begin(), uses_.all.end(),
                       [&](const Use& use) { return inside(use.root); }) ||
           std::any_of(uses_.imports.begin(), uses_.imports.end(), inside);
  }

  [[nodiscard]] const Place* place_around(Index node) const {
    for (const Place& place : places_) {
      if (t_.is_within(node, place.span)) return &place;
    }
    return nullptr;
  }

  void note(const Mismatch& mismatch) {
    auto [known, is_new] = nearest_.emplace(mismatch.refusal.line, mismatch);
    if (!is_new && known->second.depth < mismatch.depth) known->second = mismatch;
  }

  /// Rules that are more than a use, wherever they fit.
  Result<Done, Refusal> find_wide() {
    std::size_t tried = 0;
    for (Index i = 1; i < t_.size(); ++i) {
      Place place;
      for (std::size_t r = 0; r < patterns_.size(); ++r) {
        const Rule::Form form = patterns_[r].rule().form;
        const Pattern::Side& side = patterns_[r].before();
        if (form == Rule::Form::use || side.source->kind(side.span.first) != t_.kind(i)) continue;
        const bool is_import = std::binary_search(uses_.imports.begin(), uses_.imports.end(), i);
        if (is_import != (form == Rule::Form::import)) continue;
        if (form == Rule::Form::statements && !holds_statements(t_.parent_kind(i))) continue;
        if (form == Rule::Form::import && t_.parent(i) != 0) continue;
        if (++tried > kMaxTried) return fail(Refusal{0, "the file has too much to look at"});
        auto found = match(patterns_[r], t_, i, chains_);
        if (!found) {
          note(found.error());
          continue;
        }
        if (!has_use(found->span) || !is_in_place(patterns_[r], i)) continue;
        if (patterns_[r].puts_off() && is_followed(t_, found->span)) {
          note({kPutsOff, {t_.line_of(i), kFollowed}});
          continue;
        }
        if (!place.fits.empty() && found->span != place.span) {
          return stop(i, kSeveral);
        }
        place.span = found->span;
        place.fits.emplace_back(r, *std::move(found));
      }
      if (place.fits.empty()) continue;
      const Place* around = place_around(i);
      const bool is_within = around != nullptr && t_.is_within(place.span.last, around->span);
      if (is_within && !is_use_place(i)) continue;
      if (around != nullptr && !is_within) return stop(i, kSeveral);
      if (places_.size() == kMaxPlaces) return stop(i, "the file has too many uses");
      places_.push_back(std::move(place));
    }
    for (const Index statement : uses_.imports) {
      if (place_around(statement) != nullptr) continue;
      return nearest(statement, "the package is brought in otherwise than in the example");
    }
    return Done{};
  }

  [[nodiscard]] Failure<Refusal> nearest(Index node, std::string otherwise) const {
    const auto known = nearest_.find(t_.line_of(node));
    if (known == nearest_.end() || known->second.depth == 0)
      return stop(node, std::move(otherwise));
    return fail(known->second.refusal);
  }

  [[nodiscard]] bool is_in_place(const Pattern& pattern, Index node) const {
    const Rule& rule = pattern.rule();
    if (rule.form != Rule::Form::use && rule.form != Rule::Form::expression) return true;
    const std::string place = place_of(t_, node);
    if (place == kUnclear) return false;
    // Where only imports changed, a value is what it was: it may be for anything else too, unless
    // it is taken apart, or is a name alone, which could be handed to anybody.
    const bool is_free = is_about_imports_ && !place.starts_with("apart") && !is_hole(rule.before);
    if (is_free) return true;
    return std::find(rule.places.begin(), rule.places.end(), place) != rule.places.end();
  }

  Result<Done, Refusal> find_uses() {
    std::set<Index> seen;
    for (const Use& use : uses_.all) {
      if (place_around(use.root) != nullptr && !is_use_place(use.root)) continue;
      if (!seen.insert(use.chain).second) continue;
      Place place{{use.chain, use.chain}, {}};
      Mismatch best{0, {t_.line_of(use.chain), "the example has no such use of the package"}};
      for (std::size_t r = 0; r < patterns_.size(); ++r) {
        if (patterns_[r].rule().form != Rule::Form::use) continue;
        auto found = match(patterns_[r], t_, use.chain, chains_);
        if (!found) {
          if (found.error().depth > best.depth) best = found.error();
        } else if (patterns_[r].puts_off() && is_followed(t_, found->span)) {
          best = {kPutsOff, {t_.line_of(use.chain), kFollowed}};
        } else if (is_in_place(patterns_[r], use.chain)) {
          place.fits.emplace_back(r, *std::move(found));
        } else {
          best = {~0U,
                  {t_.line_of(use.chain),
                   "what it gives is used for something else than in the example"}};
        }
      }
      if (place.fits.empty() && best.depth == 0) return nearest(use.chain, best.refusal.why);
      if (place.fits.empty()) return fail(best.refusal);
      if (places_.size() == kMaxPlaces) return stop(use.chain, "the file has too many uses");
      places_.push_back(std::move(place));
    }
    return Done{};
  }

  /// What stands in another use, or in what a hole of a wider rule took, is on its own: it is
  /// copied there.
  [[nodiscard]] bool is_use_place(Index root) const {
    return std::all_of(places_.begin(), places_.end(), [&](const Place& place) {
      if (!t_.is_within(root, place.span)) return true;
      return std::any_of(place.fits.begin(), place.fits.end(), [&](const auto& fit) {
        const Rule& rule = patterns_[fit.first].rule();
        if (rule.form == Rule::Form::use) return true;
        for (std::size_t h = 0; h < rule.holes.size(); ++h) {
          const Index taken = fit.second.holes[h];
          const bool is_more = rule.holes[h].takes == Takes::value ||
                               rule.holes[h].takes == Takes::function ||
                               rule.holes[h].takes == Takes::use;
          if (is_more && t_.is_within(root, {taken, taken})) return true;
        }
        return false;
      });
    });
  }

  /// Names for what a use gave must be of a use with the right rule, and so on.
  Result<Done, Refusal> keep_made() {
    std::vector<Span> spans;
    for (const Place& place : places_) spans.push_back(place.span);
    const auto is_made = [&](const std::pair<std::size_t, Match>& fit) {
      const Rule& rule = patterns_[fit.first].rule();
      for (std::size_t h = 0; h < rule.holes.size(); ++h) {
        if (rule.holes[h].takes != Takes::made) continue;
        const std::size_t by = maker_of(t_, t_.binding_of(fit.second.holes[h]), spans);
        if (by == kNobody) return false;
        const auto& made = rule.holes[h].made;
        if (std::none_of(places_[by].fits.begin(), places_[by].fits.end(), [&](const auto& one) {
              return std::find(made.begin(), made.end(), one.first) != made.end();
            })) {
          return false;
        }
      }
      return true;
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (Place& place : places_) {
        const std::size_t before = place.fits.size();
        std::erase_if(place.fits, [&](const auto& fit) { return !is_made(fit); });
        if (place.fits.empty()) {
          return stop(place.span.first, "it is of something that was not made as in the example");
        }
        changed = changed || place.fits.size() != before;
      }
    }
    return Done{};
  }

  Result<std::string, Refusal> written(const Hand& hand) const {
    CG_TRY_ASSIGN(const Written written, write_all(hand, places_));
    CG_TRY(check(t_, written, from_, file_));
    return written.text;
  }

  /// Where the rules that fit do not write the same.
  Result<std::vector<std::size_t>, Refusal> open_places(const Hand& hand) const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      std::set<std::string> texts;
      if (places_[i].fits.size() < 2) continue;
      for (const auto& [rule, fit] : places_[i].fits) {
        CG_TRY_ASSIGN(const Written written, write_one(hand, places_, i, fit));
        texts.insert(written.text);
      }
      if (texts.size() > 1) out.push_back(i);
    }
    return out;
  }

  /// Two files of an example may import other names of the package: the rule counts that brings in
  /// what the rest of the new text uses, and no more.
  Result<std::string, Refusal> chosen(const Hand& hand, Place& place) const {
    if (patterns_[place.fits.front().first].rule().form != Rule::Form::import) {
      return stop(place.span.first, kSeveral);
    }
    std::set<std::string> texts;
    for (std::size_t i = 0; i < place.fits.size(); ++i) {
      std::swap(place.fits.front(), place.fits[i]);
      const auto text = written(hand);
      if (text) texts.insert(*text);
      std::swap(place.fits.front(), place.fits[i]);
    }
    if (texts.size() != 1) return stop(place.span.first, kSeveral);
    return *texts.begin();
  }

  const Template& from_;
  const File& file_;
  const Source& t_;
  const Uses& uses_;
  std::set<Index> chains_;
  std::vector<Pattern> patterns_;
  std::vector<Place> places_;
  bool is_about_imports_ = true;
  std::map<std::size_t, Mismatch> nearest_;  // by line
};

}  // namespace

Result<std::string, Refusal> carried(const Template& from, const File& file) {
  if (file.language != from.language) {
    return fail(Refusal{0, "the example is in another language"});
  }
  CG_TRY_ASSIGN(const auto source, Source::open(file.text, file.language, file.package));
  CG_TRY_ASSIGN(const Uses uses, uses_of(*source, file.package));
  if (uses.imports.empty()) return fail(Refusal{0, "the file does not use the package"});
  return Carrier(from, file, *source, uses).run();
}

Result<std::string, Refusal> apply(const Template& from, const File& file,
                                   const exports::Api* api) {
  CG_TRY_ASSIGN(std::string text, carried(from, file));
  const auto found = rewrite::find_breach({file.text, text, file.language, file.package, api});
  if (!found) return text;
  return fail(
      Refusal{found->line, "the result would not pass: " + std::string(name(found->breach))});
}

}  // namespace cg::carry
