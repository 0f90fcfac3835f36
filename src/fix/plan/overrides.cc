// Override: a dependent that nobody can raise is made to take a safe version.
//
// The rule is as narrow as npm allows: `"a@~1.0.0 || ^1.2.1": "^1.2.1"` speaks of those alone who
// ask for `a` with that range, and is bounded above, so that it never lets a breaking version in
// later. Its value is part of the range because npm before 11.2 asks again whom the rule speaks of
// once it has been applied, by what was forced then: `"a@~1.0.0": "^1.2.1"` falls silent, and the
// lock is refused. It speaks of all of them though, and not of this copy only: every other copy
// that the range leads to must follow, or the rule is given up (obey_rules). A rule that is there
// already and decides about the need gets a new value instead. What the root itself asks for cannot
// be forced: npm refuses that unless the rule says the same, which is written as `$a`. A peer is
// never forced.
//
// Versions that break nothing are tried before those that do, kMaxForced of each at most. A rule
// that would change more than `max_forced` entries is not worth it.
#include <algorithm>

#include "fix/plan/fixing.h"
#include "fix/plan/spec_style.h"
#include "npm/semver/caret.h"
#include "npm/semver/subset.h"

namespace cg::plan {

using resolve::CopyId;
using resolve::kNone;

namespace {

constexpr std::size_t kMaxForced = 3;  // versions tried

}  // namespace

/// Whether some version is in both; so it may be, where one is no range.
bool Fixing::overlap(std::string_view spec, std::string_view other) {
  const resolve::Want& a = tree_.ranges().get(spec);
  const resolve::Want& b = tree_.ranges().get(other);
  constexpr auto kRange = resolve::Want::Kind::range;
  return a.kind != kRange || b.kind != kRange || semver::intersects(*a.range, *b.range);
}

/// A rule of its own for what `asker` asks for, or another value for the rule that
/// already decides about it.
bool Fixing::add_rule(CopyId id, const Asker& asker, const Offer& offer, Attempt& attempt) {
  const resolve::Need& need = tree_.need(asker);
  const std::string name(tree_.name(need.name));
  if (const resolve::Rule* governing = tree_.rule_for(asker.from, need)) {
    if (governing->value.starts_with('$')) return false;
    resolve::Rule edited = *governing;
    edited.value = restyle(edited.value, offer.version());
    edited.own = true;
    if (!edited.key.empty() && !overlap(edited.key, edited.value)) {
      note(attempt, Strategy::override_rule, offer.text(),
           "the override of " + edited.path.back() + " would no longer speak of what it forces");
      return false;
    }
    notes_.push_back(
        {edited.path, edited.value, "pinned " + who(id) + ", which is vulnerable", {}});
    tree_.set_rule(std::move(edited));
    return true;
  }
  const resolve::Want& want = tree_.ranges().get(need.spec);
  if (want.kind != resolve::Want::Kind::range || !want.name.empty()) {
    note(attempt, Strategy::override_rule, "",
         "an override cannot speak of " + std::string(need.spec));
    return false;
  }
  std::string value = (offer.version().has_prerelease() ? "" : "^") + offer.version().str();
  std::string forced = value;
  // npm refuses an override of what the root asks for itself, unless it is the same.
  for (const resolve::Need& direct : *tree_.copy(tree_.root()).needs) {
    if (direct.name != need.name) continue;
    const resolve::Want& asked = tree_.ranges().get(direct.spec);
    if (!overlap(direct.spec, need.spec) && !overlap(direct.spec, forced)) continue;
    if (!asked.takes(offer.version())) {
      note(attempt, Strategy::override_rule, offer.text(),
           "package.json itself asks for " + name + " " + std::string(direct.spec));
      return false;
    }
    value = "$" + name;
    forced = direct.spec;
  }
  const std::string key = want.text + (overlap(need.spec, forced) ? "" : " || " + forced);
  const std::string reason =
      asks(asker) + ", all of which is vulnerable, and no newer release of it is within reach";
  resolve::Rule rule = resolve::make_rule({name + "@" + key}, value);
  rule.own = true;
  notes_.push_back({rule.path, value, reason, {}});
  tree_.set_rule(std::move(rule));
  return true;
}

/// Moves the other copies that the rules now speak of; false if one cannot follow.
bool Fixing::obey_rules(resolve::NameId name, CopyId except) {
  // Every round moves a copy to what the rules ask for, so this ends.
  for (std::size_t rounds = tree_.askers_named(name).size(); rounds > 0; --rounds) {
    const std::vector<Asker> askers = tree_.askers_named(name);
    const auto wrong = std::find_if(askers.begin(), askers.end(), [&](const Asker& one) {
      const CopyId now = tree_.resolve(one.from, tree_.need(one));
      return now != kNone && now != except && !tree_.fits(one.from, tree_.need(one), now);
    });
    if (wrong == askers.end()) return true;
    const Asker asker = *wrong;
    const CopyId now = tree_.resolve(asker.from, tree_.need(asker));
    const resolve::Copy& copy = tree_.copy(now);
    Offers* offers = copy.version == nullptr ? nullptr : market_.offers(copy.package);
    if (offers == nullptr) return false;
    std::vector<Offer> fitting;
    for (const std::size_t at : offers->safe_above(*copy.version)) {
      const Offer one{offers, at};
      if (fitting.size() < kMaxForced &&
          offers->refused(at, copy.flags.install_script) == Blocker::none &&
          refusing(now, one).empty()) {
        fitting.push_back(one);
      }
    }
    if (!land(now, fitting)) return false;
  }
  return true;
}

bool Fixing::force(CopyId id, const Offer& offer, Attempt& attempt) {
  const semver::Version current = *tree_.copy(id).version;
  for (const Asker& asker : refusing(id, offer)) {
    if (takes(asker, offer)) continue;  // a rule just made speaks of it too
    const resolve::Need& need = tree_.need(asker);
    const bool importer = tree_.copy(asker.from).is_importer();
    if (importer && tree_.rule_for(asker.from, need) == nullptr) {
      if (semver::is_breaking(current, offer.version()) ||
          tree_.ranges().get(need.spec).kind != resolve::Want::Kind::range) {
        return false;
      }
      tree_.respec(asker, restyle(need.spec, offer.version()));
    }
  }
  for (const Asker& asker : refusing(id, offer)) {
    if (takes(asker, offer)) continue;
    if (npm::is_peer(tree_.need(asker).kind)) {
      // Trap 21: that would be --legacy-peer-deps by stealth.
      attempt.blocker = Blocker::peer;
      attempt.reason = asks(asker) + " as a peer, the lowest safe version is " + offer.text();
      return false;
    }
    if (!add_rule(id, asker, offer, attempt) || !takes(asker, offer)) return false;
  }
  return move(id, offer, attempt, Strategy::override_rule) && obey_rules(tree_.copy(id).folder, id);
}

bool Fixing::is_worth_it(resolve::Tree::Mark mark, const Offer& offer, Attempt& attempt) {
  resolve::prune(tree_, mark);
  const std::size_t touched = tree_.touched(mark).size();
  if (touched <= input_.options.max_forced) return true;
  note(attempt, Strategy::override_rule, offer.text(),
       "would change " + std::to_string(touched) + " entries, more than the " +
           std::to_string(input_.options.max_forced) + " that one override may");
  return false;
}

bool Fixing::override_range(CopyId id, Attempt& attempt) {
  if (!allowed(Strategy::override_rule) || tree_.root() == kNone) return false;
  const semver::Version current = *tree_.copy(id).version;
  std::vector<Offer> offers;
  for (const bool breaking : {false, true}) {
    if (breaking && input_.options.across_major == AcrossMajor::refuse) {
      note(attempt, Strategy::override_rule, "",
           "only across a major version, which policy refuses");
      break;
    }
    std::size_t count = 0;
    for (const std::size_t at : safe_) {
      if (semver::is_breaking(current, offer(at).version()) != breaking) continue;
      if (++count > kMaxForced) {
        bounds_.insert("no more than " + std::to_string(kMaxForced) +
                       " versions are tried as an override");
        break;
      }
      offers.push_back(offer(at));
    }
  }
  for (const Offer& one : offers) {
    const resolve::Tree::Mark mark = tree_.mark();
    const std::size_t notes = notes_.size();
    if (force(id, one, attempt) && is_worth_it(mark, one, attempt)) {
      const bool breaking = semver::is_breaking(current, one.version());
      accept(mark, id, Strategy::override_rule, "npm-override",
             breaking ? "no dependent in reach asks for a safe version; the override crosses a "
                        "major version"
                      : "no dependent in reach asks for a safe version");
      return true;
    }
    notes_.resize(notes);
    tree_.roll_back(mark);
  }
  note(attempt, Strategy::override_rule, "",
       "no override can be written that everybody can live with");
  return false;
}

}  // namespace cg::plan
