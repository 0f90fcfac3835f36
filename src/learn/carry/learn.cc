#include <algorithm>

#include "learn/carry/match.h"
#include "learn/carry/pattern.h"
#include "learn/carry/spell.h"

// Each import and each use of the old file is a unit. What changed (align.h) belongs to the
// smallest unit around it; where there is none, the smallest statement or expression around it that
// has a use in it becomes one, and swallows those within. Of each unit a rule is made, of those
// that did not change as well. At last the rules are tried on the file that they come from.

namespace cg::carry {

namespace {

bool is_expression(Kind kind) {
  switch (kind) {
    case Kind::new_expression:
    case Kind::array:
    case Kind::object:
    case Kind::arrow_function:
    case Kind::assignment_expression:
      return true;
    default:
      return kind != Kind::identifier && is_opaque(kind);
  }
}

class Learner {
 public:
  Learner(const Source& before, const Source& after, Alignment alignment, const Uses& uses)
      : b_(before), a_(after), alignment_(std::move(alignment)), uses_(uses) {}

  Result<std::vector<Unit>, Refusal> units() {
    for (const Index statement : uses_.imports) add(Rule::Form::import, {statement, statement});
    for (const Use& use : uses_.all) {
      const bool is_known = std::any_of(units_.begin(), units_.end(), [&](const Unit& unit) {
        return unit.form == Rule::Form::use && unit.before.first == use.chain;
      });
      if (!is_known) add(Rule::Form::use, {use.chain, use.chain});
      if (units_.size() > 4 * kMaxRules) return fail(Refusal{0, "there are too many uses"});
    }
    for (const Region& region : alignment_.regions) CG_TRY(place(region));
    std::vector<Unit> out;
    for (const Unit& unit : units_) {
      const bool is_swallowed = std::any_of(units_.begin(), units_.end(), [&](const Unit& other) {
        return &other != &unit && holds(other, unit) &&
               (other.form != Rule::Form::use || alignment_.partner[unit.before.first] == kNone);
      });
      if (is_swallowed) continue;
      CG_TRY_ASSIGN(Unit whole, with_after(unit));
      out.push_back(whole);
    }
    return out;
  }

  [[nodiscard]] const Alignment& alignment() const { return alignment_; }

 private:
  [[nodiscard]] Failure<Refusal> stop(Index at, std::string why) const {
    return fail(Refusal{b_.line_of(at), std::move(why)});
  }
  void add(Rule::Form form, const Span& span) { units_.push_back({form, span, {}}); }

  [[nodiscard]] bool holds(const Unit& outer, const Unit& inner) const {
    const bool within = b_.is_within(inner.before.first, outer.before) &&
                        b_.is_within(inner.before.last, outer.before);
    return within && !(outer.before == inner.before && outer.form == Rule::Form::use);
  }

  Result<Unit, Refusal> with_after(Unit unit) const {
    if (unit.after.first != kNone) return unit;
    unit.after.first = alignment_.partner[unit.before.first];
    unit.after.last = alignment_.partner[unit.before.last];
    if (unit.after.first == kNone || unit.after.last == kNone) {
      return stop(unit.before.first, "a use was put elsewhere");
    }
    return unit;
  }

  Result<Done, Refusal> place(const Region& region) {
    Span span{region.parent_before, region.parent_before};
    Span after;
    if (region.before.size() == 1 && region.after.size() == 1) {
      span = {region.before.front(), region.before.front()};
      alignment_.partner[span.first] = region.after.front();
    } else if (region.parent_before != kNone && holds_statements(b_.kind(region.parent_before)) &&
               !region.before.empty() && !region.after.empty()) {
      span = {region.before.front(), region.before.back()};
      after = {region.after.front(), region.after.back()};
    }
    while (span.first != kNone && span.first != 0) {
      if (is_in_unit(span)) return Done{};
      const bool has_use = std::any_of(units_.begin(), units_.end(), [&](const Unit& unit) {
        return b_.is_within(unit.before.first, span);
      });
      const bool is_list = holds_statements(b_.parent_kind(span.first));
      const bool may_be = is_list || is_expression(b_.kind(span.first));
      if (has_use && may_be) {
        const bool imports =
            std::binary_search(uses_.imports.begin(), uses_.imports.end(), span.first);
        const Rule::Form form = imports
                                    ? Rule::Form::import
                                    : (is_list ? Rule::Form::statements : Rule::Form::expression);
        units_.push_back({form, span, after});
        return Done{};
      }
      const Index around = b_.parent(span.first);
      span = {around, around};
      after = {};
    }
    const Index at = region.before.empty() ? region.parent_before : region.before.front();
    return stop(at == kNone ? 0 : at, "what changed here has no use of the package in it");
  }

  [[nodiscard]] bool is_in_unit(const Span& span) const {
    return std::any_of(units_.begin(), units_.end(), [&](const Unit& unit) {
      return b_.is_within(span.first, unit.before) && b_.is_within(span.last, unit.before);
    });
  }

  const Source& b_;
  const Source& a_;
  Alignment alignment_;
  const Uses& uses_;
  std::vector<Unit> units_;
};

bool merge(Hole& into, const Hole& other) {
  const auto is_value = [](Takes takes) { return takes == Takes::value || takes == Takes::number; };
  if (into.takes != other.takes && !(is_value(into.takes) && is_value(other.takes))) return false;
  if (into.source != other.source || into.member != other.member) return false;
  if (into.takes != Takes::function && into.keys != other.keys) return false;
  const auto is_async = [](const Hole& hole) {
    return std::find(hole.keys.begin(), hole.keys.end(), "async") != hole.keys.end();
  };
  if (into.takes == Takes::function && is_async(into) != is_async(other)) return false;
  if (into.takes != other.takes) into.takes = Takes::value;
  into.keys.insert(into.keys.end(), other.keys.begin(), other.keys.end());
  into.made.insert(into.made.end(), other.made.begin(), other.made.end());
  std::sort(into.keys.begin(), into.keys.end());
  into.keys.erase(std::unique(into.keys.begin(), into.keys.end()), into.keys.end());
  return true;
}

bool merge(Rule& into, const Rule& other) {
  if (into.form != other.form || into.before != other.before || into.after != other.after ||
      into.holes.size() != other.holes.size()) {
    return false;
  }
  Rule both = into;
  for (std::size_t i = 0; i < both.holes.size(); ++i) {
    if (!merge(both.holes[i], other.holes[i])) return false;
  }
  both.places.insert(both.places.end(), other.places.begin(), other.places.end());
  std::sort(both.places.begin(), both.places.end());
  both.places.erase(std::unique(both.places.begin(), both.places.end()), both.places.end());
  into = std::move(both);
  return true;
}

/// Rules that say the same are one. Hole::made are numbers in `all` before, in the result after.
std::vector<Rule> merged(const std::vector<Rule>& all) {
  std::vector<Rule> out;
  std::vector<std::uint32_t> now;
  for (const Rule& rule : all) {
    std::size_t i = 0;
    while (i < out.size() && !merge(out[i], rule)) ++i;
    if (i == out.size()) out.push_back(rule);
    now.push_back(static_cast<std::uint32_t>(i));
  }
  for (Rule& rule : out) {
    for (Hole& hole : rule.holes) {
      for (std::uint32_t& by : hole.made) by = now[by];
      std::sort(hole.made.begin(), hole.made.end());
      hole.made.erase(std::unique(hole.made.begin(), hole.made.end()), hole.made.end());
    }
  }
  return out;
}

Result<Done, Refusal> fits_bounds(const Template& made) {
  if (made.rules.size() > kMaxRules) return fail(Refusal{0, "it makes too many rules"});
  if (made.introduces.size() > kMaxHoles) return fail(Refusal{0, "it brings in too many names"});
  const auto read = parse(write(made));
  if (!read) return fail(Refusal{0, "it cannot be kept: " + read.error()});
  return Done{};
}

}  // namespace

Result<Template, Refusal> learn(const File& file, std::string_view after) {
  CG_TRY_ASSIGN(const auto before, Source::open(file.text, file.language, file.package));
  CG_TRY_ASSIGN(const auto now, Source::open(after, file.language, file.package));
  CG_TRY_ASSIGN(const Uses uses, uses_of(*before, file.package));
  if (uses.imports.empty()) return fail(Refusal{0, "the file does not use the package"});
  CG_TRY_ASSIGN(Alignment alignment, align(*before, *now));
  Learner learner(*before, *now, std::move(alignment), uses);
  CG_TRY_ASSIGN(const std::vector<Unit> units, learner.units());
  Template out;
  out.language = file.language;
  const Layout layout = layout_of(*before);
  out.indent = layout.indent;
  out.quote = std::string(1, layout.quote);
  std::set<std::string> introduces;
  std::vector<Rule> rules;
  const Pair pair{*before, *now, learner.alignment(), units};
  for (std::size_t i = 0; i < units.size(); ++i) {
    CG_TRY_ASSIGN(Draft draft, draft_of(pair, i));
    if (const auto pattern = Pattern::of(draft.rule, file.language); !pattern) {
      return fail(
          Refusal{before->line_of(units[i].before.first), "a rule for it " + pattern.error()});
    }
    introduces.merge(draft.introduces);
    rules.push_back(std::move(draft.rule));
  }
  out.introduces.assign(introduces.begin(), introduces.end());
  out.rules = merged(rules);
  CG_TRY(fits_bounds(out));
  CG_TRY_ASSIGN(const std::string again, carried(out, file));
  if (again != after) return fail(Refusal{0, "the file itself would become another one by it"});
  return out;
}

Result<Template, Refusal> join(const std::vector<Template>& all) {
  if (all.empty()) return fail(Refusal{0, "there is nothing to join"});
  Template out = all.front();
  std::vector<Rule> rules;
  std::set<std::string> introduces;
  for (const Template& one : all) {
    if (one.language != out.language || one.indent != out.indent || one.quote != out.quote) {
      return fail(Refusal{0, "its files are written in different ways"});
    }
    const auto base = static_cast<std::uint32_t>(rules.size());
    for (Rule rule : one.rules) {
      for (Hole& hole : rule.holes) {
        for (std::uint32_t& by : hole.made) by += base;
      }
      rules.push_back(std::move(rule));
    }
    introduces.insert(one.introduces.begin(), one.introduces.end());
  }
  out.introduces.assign(introduces.begin(), introduces.end());
  out.rules = merged(rules);
  CG_TRY(fits_bounds(out));
  return out;
}

}  // namespace cg::carry
