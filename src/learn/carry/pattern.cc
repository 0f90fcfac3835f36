#include "learn/carry/pattern.h"

#include <algorithm>
#include <map>

#include "base/base/text.h"
#include "learn/carry/spell.h"

// The old piece is walked from its root. What could be another expression elsewhere becomes a hole
// that takes one, if the new piece has it unchanged, once and in its place; names that the file
// declares become holes that take names; all else stays as it is spelled. The new piece is then
// spelled with the same holes. Where it has use for what a hole would hide, that hole is `forced`
// open and all begins anew: each time there is one hole less, so it ends.

namespace cg::carry {

namespace {

constexpr std::size_t kMaxForced = 64;
constexpr std::size_t kMaxUnit = 64U << 10U;  // bytes, of both sides

class Maker {
 public:
  Maker(const Pair& pair, std::size_t unit)
      : b_(pair.before),
        a_(pair.after),
        pair_(pair),
        unit_(pair.units[unit]),
        twins_(pair.alignment, b_, unit_.before, a_, unit_.after) {
    for (const Unit& one : pair.units) {
      spans_.push_back(one.before);
      if (one.form == Rule::Form::use) uses_.insert(one.before.first);
    }
    for (Index i = unit_.before.first; i < b_.at(unit_.before.last).after; ++i) {
      if (b_.is_name(i)) ++times_[b_.binding_of(i)];
    }
  }

  Result<Draft, Refusal> run() {
    const std::size_t size = b_.end_of(unit_.before) - b_.begin_of(unit_.before) +
                             a_.end_of(unit_.after) - a_.begin_of(unit_.after);
    if (size > kMaxUnit) return stop(unit_.before.first, "it is longer than a rule may be");
    for (std::size_t round = 0; round <= kMaxForced; ++round) {
      start();
      const std::size_t forced = forced_.size();
      for (const Index node : nodes_of(b_, unit_.before)) CG_TRY(walk(node));
      hide();
      for (const Index node : nodes_of(a_, unit_.after)) CG_TRY(walk_after(node));
      CG_TRY_ASSIGN(const bool is_done, settle());
      if (is_done && forced_.size() == forced) return finish();
    }
    return stop(unit_.before.first, "there is no end to what its new text has of the old one");
  }

 private:
  [[nodiscard]] Failure<Refusal> stop(Index at, std::string why) const {
    return fail(Refusal{b_.line_of(at), std::move(why)});
  }

  static std::vector<Index> nodes_of(const Source& source, const Span& span) {
    std::vector<Index> out;
    for (Index i = span.first; i != kNone && i <= span.last; i = source.syntax().next_sibling(i)) {
      if (source.kind(i) != Kind::comment) out.push_back(i);
    }
    return out;
  }

  void start() {
    draft_ = {};
    draft_.rule.form = unit_.form;
    spelled_b_.clear();
    spelled_a_.clear();
    of_binding_.clear();
    of_word_.clear();
    of_node_.clear();
  }

  std::string new_hole(Hole hole) {
    draft_.rule.holes.push_back(std::move(hole));
    return "$" + std::to_string(draft_.rule.holes.size());
  }

  [[nodiscard]] bool is_root(Index node) const {
    return b_.parent(node) == b_.parent(unit_.before.first);
  }

  /// Another unit that is a whole use stands here.
  [[nodiscard]] bool is_nested(Index node) const {
    return unit_.form == Rule::Form::use && !is_root(node) && uses_.contains(node);
  }

  /// Neither the package's nor declared by this unit, and all of it still there.
  [[nodiscard]] bool may_vanish(Index node) const {
    if (is_root(node) || !is_slot(b_, node) || forced_.contains(node)) return false;
    if (twins_.of(node) == kNone) return false;
    for (const Index string : b_.meanings().sources()) {
      if (b_.is_within(string, {node, node})) return false;
    }
    const bool lambda = is_lambda(b_.kind(node));
    for (Index i = node; i < b_.at(node).after; ++i) {
      if (!b_.is_name(i)) continue;
      const Index binding = b_.binding_of(i);
      if (binding == kNone) continue;
      const Index declared = b_.declaration_of(binding);
      const bool inside = b_.is_within(declared, {node, node});
      if (!inside && b_.is_within(declared, unit_.before)) return false;
      // Uses in a function are units of their own, but within a wider one they are its.
      const bool is_apart = lambda && unit_.form == Rule::Form::use;
      if (!is_apart && b_.meaning_of(i).kind != Meaning::Kind::nothing) return false;
    }
    return true;
  }

  Result<Done, Refusal> walk(Index node) {
    if (draft_.rule.holes.size() == kMaxHoles) return stop(node, "it has too many names");
    const Kind kind = b_.kind(node);
    if (is_nested(node)) {
      of_node_[node] = new_hole({Takes::use, {}, {}, {}, {}});
      spelled_b_[node] = of_node_[node];
      return Done{};
    }
    if ((is_lambda(kind) || kind == Kind::number || is_opaque(kind)) && may_vanish(node)) {
      const bool is_global = b_.is_name(node) && b_.binding_of(node) == kNone;
      const bool is_often = b_.is_name(node) && times_.at(b_.binding_of(node)) > 1;
      if (!is_global && !is_often) {
        of_node_[node] = new_hole(hole_for(node));
        CG_TRY_ASSIGN(const auto whole, with_hole(b_, node, of_node_[node]));
        spelled_b_[node] = whole.second;
        return Done{};
      }
    }
    if (b_.is_name(node)) return name(node);
    if (kind == Kind::string) return Done{};
    for (const Index child : b_.children(node)) CG_TRY(walk(child));
    const bool is_pair = kind == Kind::pair || kind == Kind::pair_pattern;
    const Index value = b_.syntax().child(node, is_pair ? Field::value : Field::alias);
    if ((is_pair && is_plain_key(b_, node)) || kind == Kind::import_specifier) {
      const auto hole = value == kNone ? spelled_b_.end() : spelled_b_.find(value);
      if (hole != spelled_b_.end() && may_be_short(hole->second))
        spelled_b_[node] = with_key(b_, node, hole->second);
    }
    return Done{};
  }

  /// `key: $1` is one token if elsewhere it may be `key` alone.
  [[nodiscard]] bool may_be_short(const std::string& spelled) const {
    if (!is_hole(spelled)) return false;
    return takes_word(draft_.rule.holes[hole_number(spelled) - 1]);
  }

  [[nodiscard]] Hole hole_for(Index node) const {
    const Kind kind = b_.kind(node);
    Hole out;
    out.takes =
        kind == Kind::number ? Takes::number : (is_lambda(kind) ? Takes::function : Takes::value);
    if (is_lambda(kind)) {
      const Taking taking = taking_of(b_, node);
      out.member = std::to_string(taking.parameters);
      out.keys = taking.keys;
    }
    if (b_.is_name(node)) set_keys(node, out);
    return out;
  }

  void set_keys(Index name, Hole& hole) const {
    auto keys = keys_behind(b_, name);
    if (!keys) return;
    hole.member = "object";
    hole.keys = *std::move(keys);
  }

  Result<Done, Refusal> name(Index node) {
    const std::string word(b_.text_of(node));
    if (is_hole(word)) return stop(node, "`" + word + "` is what a hole is called");
    const Index binding = b_.binding_of(node);
    if (binding == kNone) return Done{};
    auto known = of_binding_.find(binding);
    if (known == of_binding_.end()) {
      if (of_word_.contains(word)) return stop(node, "`" + word + "` means two things here");
      CG_TRY_ASSIGN(Hole hole, named(node, binding));
      const std::string spelled = new_hole(std::move(hole));
      known = of_binding_.emplace(binding, spelled).first;
      of_word_.emplace(word, spelled);
    }
    CG_TRY_ASSIGN(const auto whole, with_hole(b_, node, known->second));
    spelled_b_[whole.first] = whole.second;
    return Done{};
  }

  Result<Hole, Refusal> named(Index node, Index binding) const {
    Hole out;
    const Index declared = b_.declaration_of(binding);
    const Meaning meaning = b_.meanings().of_binding(binding);
    const bool is_own = b_.is_within(declared, unit_.before);
    if (meaning.kind == Meaning::Kind::nothing || (is_own && unit_.form != Rule::Form::import)) {
      out.takes = is_own ? Takes::own : Takes::name;
      if (!is_own) set_keys(node, out);
      return out;
    }
    if (meaning.kind != Meaning::Kind::instance && !meaning.is_deeper) {
      const std::size_t by = import_of(declared);
      if (by != kNobody) {
        out.takes = Takes::package;
        out.source = b_.syntax().constant(meaning.source).value_or("");
        out.member = member_of(meaning);
        return out;
      }
    }
    const std::size_t by = maker_of(b_, binding, spans_);
    if (by == kNobody) {
      return stop(node, "`" + std::string(b_.text_of(node)) +
                            "` comes out of the package in a way "
                            "that is not followed");
    }
    out.takes = Takes::made;
    out.made = {static_cast<std::uint32_t>(by)};
    return out;
  }

  [[nodiscard]] std::size_t import_of(Index declared) const {
    for (std::size_t i = 0; i < pair_.units.size(); ++i) {
      if (pair_.units[i].form == Rule::Form::import && b_.is_within(declared, spans_[i])) return i;
    }
    return kNobody;
  }

  /// The node to spell in place of a name, and how: its key belongs to it.
  Result<std::pair<Index, std::string>, Refusal> with_hole(const Source& source, Index node,
                                                           const std::string& hole) const {
    const Kind kind = source.kind(node);
    const Kind around = source.parent_kind(node);
    if (node == unit_.before.first && &source == &b_) return std::pair(node, hole);
    if (node == unit_.after.first && &source == &a_) return std::pair(node, hole);
    if (kind == Kind::shorthand_property_identifier ||
        kind == Kind::shorthand_property_identifier_pattern) {
      if (around == Kind::object_assignment_pattern) {
        return fail(Refusal{source.line_of(node), "a default in a pattern is not followed"});
      }
      return std::pair(node, std::string(source.text_of(node)) + ": " + hole);
    }
    if (around == Kind::import_specifier) {
      const Index all = source.parent(node);
      if (source.at(all).begin != source.at(source.syntax().child(all, Field::name)).begin) {
        return fail(Refusal{source.line_of(node), "an import of a type is not followed"});
      }
      return std::pair(all, with_key(source, all, hole));
    }
    return std::pair(node, hole);
  }

  /// Names of the file that only stand in holes that take expressions; and where the new piece has
  /// what those took.
  void hide() {
    hidden_.clear();
    taken_.clear();
    for (const auto& [old, hole] : of_node_) {
      taken_.emplace(twins_.of(old), old);
      if (is_nested(old)) taken_.emplace(pair_.alignment.partner[old], old);
      for (Index i = old; i < b_.at(old).after; ++i) {
        const Index binding = b_.is_name(i) ? b_.binding_of(i) : kNone;
        if (binding == kNone || b_.is_within(b_.declaration_of(binding), {old, old})) continue;
        hidden_.emplace(b_.text_of(i), old);
      }
    }
  }

  Result<Done, Refusal> walk_after(Index node) {
    if (const auto taken = taken_.find(node); taken != taken_.end()) {
      const Index old = taken->second;
      CG_TRY_ASSIGN(const auto whole, with_hole(a_, node, of_node_.at(old)));
      spelled_a_[node] = whole.second;
      const bool same_functions = b_.functions_above(old, b_.parent(unit_.before.first)) ==
                                  a_.functions_above(node, a_.parent(unit_.after.first));
      if (!same_functions) forced_.insert(old);
      return Done{};
    }
    if (a_.is_name(node)) return name_after(node);
    if (a_.kind(node) == Kind::string) return Done{};
    for (const Index child : a_.children(node)) CG_TRY(walk_after(child));
    const Kind kind = a_.kind(node);
    const bool is_pair = kind == Kind::pair || kind == Kind::pair_pattern;
    const Index value = a_.syntax().child(node, Field::value);
    const auto hole = is_pair && is_plain_key(a_, node) && value != kNone ? spelled_a_.find(value)
                                                                          : spelled_a_.end();
    if (hole != spelled_a_.end() && may_be_short(hole->second))
      spelled_a_[node] = with_key(a_, node, hole->second);
    return Done{};
  }

  Result<Done, Refusal> name_after(Index node) {
    const std::string word(a_.text_of(node));
    if (is_hole(word)) return stop(unit_.before.first, "`" + word + "` is what a hole is called");
    const auto known = of_word_.find(word);
    if (known != of_word_.end()) {
      CG_TRY_ASSIGN(const auto whole, with_hole(a_, node, known->second));
      spelled_a_[whole.first] = whole.second;
      return Done{};
    }
    // Hidden in a hole that takes more than a name?
    const auto hidden = hidden_.find(word);
    if (hidden != hidden_.end()) {
      if (is_nested(hidden->second)) return stop(hidden->second, "a use was put elsewhere");
      forced_.insert(hidden->second);
      return Done{};
    }
    const Index binding = a_.binding_of(node);
    if (binding == kNone) return Done{};
    const Index declared = a_.declaration_of(binding);
    const bool comes_along =
        std::any_of(pair_.units.begin(), pair_.units.end(),
                    [&](const Unit& one) { return a_.is_within(declared, one.after); });
    if (!comes_along) {
      return stop(unit_.before.first,
                  "its new text needs `" + word + "`, which another file does not have");
    }
    if (declared == node) draft_.introduces.insert(word);
    return Done{};
  }

  /// False if a hole had to be forced: what holes take must stay once, in its order.
  Result<bool, Refusal> settle() {
    const auto whole_b = [&](Index i) { return spelled_b_.contains(i); };
    const auto whole_a = [&](Index i) { return spelled_a_.contains(i); };
    tokens_b_ = tokens_of(b_, unit_.before, whole_b);
    tokens_a_ = tokens_of(a_, unit_.after, whole_a);
    const std::vector<std::string> old_words = words_of(b_, tokens_b_, spelled_b_);
    const std::vector<std::string> new_words = words_of(a_, tokens_a_, spelled_a_);
    const auto kept = common(old_words.size(), new_words.size(), [&](std::size_t x, std::size_t y) {
      return old_words[x] == new_words[y];
    });
    if (!kept) return stop(unit_.before.first, "it is too long to be compared");
    std::set<Index> there;
    for (std::size_t y = 0; y < kept->size(); ++y) {
      if ((*kept)[y] != kApart) {
        there.insert(tokens_b_[(*kept)[y]].node);
      } else if (tokens_a_[y].node == kNone && word_of(a_, tokens_a_[y]) == "async") {
        return stop(unit_.before.first, "a function became async, and nobody knows who calls it");
      }
    }
    bool is_done = true;
    for (const auto& [old, hole] : of_node_) {
      if (there.contains(old) || there.contains(b_.parent(old))) continue;
      if (is_nested(old)) return stop(old, "a use was put elsewhere");
      forced_.insert(old);
      is_done = false;
    }
    return is_done;
  }

  Result<Draft, Refusal> finish() {
    draft_.rule.before = spelled(b_, unit_.before, tokens_b_, spelled_b_);
    draft_.rule.after = spelled(a_, unit_.after, tokens_a_, spelled_a_);
    if (std::max(draft_.rule.before.size(), draft_.rule.after.size()) > kMaxRuleText) {
      return stop(unit_.before.first, "it is longer than a rule may be");
    }
    const bool has_place = unit_.form == Rule::Form::use || unit_.form == Rule::Form::expression;
    const std::string place = has_place ? place_of(b_, unit_.before.first) : "";
    if (!place.empty()) draft_.rule.places = {place};
    return std::move(draft_);
  }

  const Source& b_;
  const Source& a_;
  const Pair& pair_;
  const Unit& unit_;
  Twins twins_;
  std::vector<Span> spans_;
  std::set<Index> forced_;
  Draft draft_;
  Spellings spelled_b_;
  Spellings spelled_a_;
  std::map<Index, std::string> of_binding_;
  std::map<std::string, std::string, std::less<>> of_word_;
  std::map<Index, std::string> of_node_;  // holes that take expressions
  std::map<Index, Index> taken_;          // the same by node of the new piece
  std::set<Index> uses_;                  // units that are whole uses
  std::map<Index, std::size_t> times_;    // how often the old one has a name, by binding
  std::map<std::string, Index, std::less<>> hidden_;
  std::vector<Token> tokens_b_;
  std::vector<Token> tokens_a_;
};

}  // namespace

Result<Draft, Refusal> draft_of(const Pair& pair, std::size_t unit) {
  return Maker(pair, unit).run();
}

}  // namespace cg::carry
