#include <algorithm>
#include <set>

#include "base/base/text.h"
#include "fix/plan/flat_fixing.h"
#include "fix/plan/spec_style.h"

namespace cg::plan {

using npm::EdgeKind;
using npm::kNoNode;

namespace {

constexpr std::size_t kMaxFlatTries = 12;  // of versions whose needs the lock may not have
constexpr std::size_t kMaxParents = 16;    // that refuse one version

std::string flat_tries_bound() {
  return "no more than " + std::to_string(kMaxFlatTries) + " versions are tried";
}

/// A change of the first number that is not zero breaks.
bool is_breaking(const semver::Version& from, const semver::Version& to) {
  if (from.major() != to.major()) return true;
  if (from.major() > 0) return false;
  if (from.minor() != to.minor()) return true;
  return from.minor() == 0 && from.patch() != to.patch();
}

}  // namespace

/// The lowest version that all who ask for the entry accept.
bool FlatFixing::relock(NodeId id, Attempt& attempt) {
  if (!allowed(Strategy::relock)) return false;
  const std::vector<Edge> users = state_->tree.users(id);
  std::size_t tries = 0;
  std::size_t in_range = 0;
  for (const std::size_t at : safe_) {
    const semver::Version& version = offers_->packument().version(at);
    if (!std::all_of(users.begin(), users.end(),
                     [&](const Edge& user) { return takes(user, version); })) {
      continue;
    }
    ++in_range;
    if (++tries > kMaxFlatTries) {
      bounds_.insert(flat_tries_bound());
      break;
    }
    Change change;
    change.put.push_back(put(id, *offers_, at));
    auto state = attempt_change(change);
    if (!state) {
      if (trouble_.blocker == Blocker::none) trouble_ = state.error();
      note(attempt, Strategy::relock, target(at), state.error().what);
      continue;
    }
    const bool joins = (*state)->tree.stands_for(id) != id;
    const std::string why = joins ? "in range of all that ask for it, and in the lock already"
                                  : "in range of all that ask for it";
    attempt.considered.push_back({Strategy::relock, target(at), why, true});
    accept(*std::move(state), id, Strategy::relock, target(at) + " is " + why);
    return true;
  }
  if (in_range == 0)
    note(attempt, Strategy::relock, "", "no safe version is in range of all that ask");
  return false;
}

/// How the manifest asks, in the same style; nothing if it cannot.
std::optional<edit::Ask> FlatFixing::ask_of(const Edge& edge, const semver::Version& version) {
  const std::string_view folder = index_.folder(edge.from);
  const std::string_view root =
      input_.manifests.empty() ? std::string_view() : input_.manifests.front().folder();
  std::string wanted(root);
  if (!folder.empty()) wanted += (wanted.empty() ? "" : "/") + std::string(folder);
  for (const npm::Manifest& manifest : input_.manifests) {
    const npm::Dependency* found = manifest.folder() == wanted ? manifest.find(edge.name) : nullptr;
    if (found == nullptr) continue;
    const edit::Demand now = edit::read_demand(found->name, found->spec);
    if (now.kind == edit::Demand::Kind::other) return std::nullopt;
    edit::Ask ask{std::string(folder), found->name, found->spec, restyle(found->spec, version),
                  edge.kind};
    if (!edit::read_demand(ask.name, ask.to).takes(version.str())) return std::nullopt;
    return ask;
  }
  return std::nullopt;
}

/// The manifests of the repository ask for more; packages accept it as they are.
bool FlatFixing::bump_direct(NodeId id, Attempt& attempt) {
  const Target* chosen = input_.options.target_for(input_.graph.node(id).name);
  if (chosen == nullptr && !allowed(Strategy::direct_bump)) return false;
  const Strategy strategy = chosen == nullptr ? Strategy::direct_bump : chosen->strategy;
  const auto current = semver::Version::parse(state_->tree.version(id), {.loose = true});
  const std::vector<Edge> users = state_->tree.users(id);
  if (!current || std::none_of(users.begin(), users.end(),
                               [&](const Edge& user) { return is_importer(user.from); })) {
    return false;
  }
  std::size_t tries = 0;
  for (const std::size_t at : safe_) {
    const semver::Version& version = offers_->packument().version(at);
    if (is_breaking(*current, version) && chosen == nullptr) continue;
    Change change;
    bool possible = true;
    for (const Edge& user : users) {
      if (takes(user, version)) continue;
      const std::optional<edit::Ask> ask =
          is_importer(user.from) && !user.ruled ? ask_of(user, version) : std::nullopt;
      possible = possible && ask.has_value();
      if (ask) change.asks.push_back(*ask);
    }
    if (!possible || change.asks.empty()) continue;
    if (++tries > kMaxFlatTries) {
      bounds_.insert(flat_tries_bound());
      break;
    }
    change.put.push_back(put(id, *offers_, at));
    auto state = attempt_change(change);
    if (!state) {
      if (trouble_.blocker == Blocker::none) trouble_ = state.error();
      note(attempt, strategy, target(at), state.error().what);
      continue;
    }
    const std::string why = "the manifest asks for `" + change.asks.front().to + "` instead of `" +
                            change.asks.front().from + "`";
    attempt.considered.push_back({strategy, target(at), why, true});
    accept(*std::move(state), id, strategy, target(at) + ": " + why);
    return true;
  }
  if (tries == 0) note(attempt, strategy, "", "no safe version without a breaking change");
  return false;
}

/// With this release the dependent accepts the version, or leaves the entry for one that
/// is safe, or needs the package no more.
bool FlatFixing::leaves(const registry::Release& release, const Edge& user, std::size_t at) {
  const auto need = std::find_if(release.needs.begin(), release.needs.end(),
                                 [&](const registry::Need& n) { return n.name == user.name; });
  if (need == release.needs.end()) return true;
  const edit::Demand demand = edit::read_demand(need->name, need->range);
  if (demand.takes(offers_->packument().version(at).str())) return true;
  for (const NodeId other : index_.entries(demand.package)) {
    if (other == user.to || state_->tree.gone(other)) continue;
    if (demand.takes(state_->tree.version(other)) && !is_vulnerable(other)) return true;
  }
  return false;
}

/// The lowest release of the dependent that will do, within what its own dependents accept.
bool FlatFixing::raise(const Edge& user, std::size_t at, Change& change) {
  const npm::Node& node = input_.graph.node(user.from);
  const auto current = semver::Version::parse(state_->tree.version(user.from), {.loose = true});
  Offers* offers =
      node.source == npm::Source::registry && current ? market_.offers(node.name) : nullptr;
  if (offers == nullptr) return false;
  const std::vector<Edge> above = state_->tree.users(user.from);
  const auto now = offers->packument().find(*current);
  const bool had_script = now && offers->packument().install_script(*now);
  for (const std::size_t i : offers->safe_above(*current)) {
    const semver::Version& version = offers->packument().version(i);
    const bool fits = leaves(offers->packument().release(i), user, at) &&
                      offers->refused(i, had_script) == Blocker::none &&
                      std::all_of(above.begin(), above.end(),
                                  [&](const Edge& edge) { return takes(edge, version); });
    if (!fits) continue;
    change.put.push_back(put(user.from, *offers, i));
    return true;
  }
  return false;
}

bool FlatFixing::bump_parents(NodeId id, Attempt& attempt) {
  if (!allowed(Strategy::parent_bump)) return false;
  std::size_t tries = 0;
  std::set<std::string> told;
  const std::vector<Edge> users = state_->tree.users(id);
  for (const std::size_t at : safe_) {
    const semver::Version& version = offers_->packument().version(at);
    Change change;
    bool possible = true;
    std::set<NodeId> raised;
    for (const Edge& user : users) {
      if (takes(user, version) || !raised.insert(user.from).second) continue;
      if (raised.size() > kMaxParents) {
        bounds_.insert("no more than " + std::to_string(kMaxParents) + " dependents are raised");
        possible = false;
        break;
      }
      possible = !is_importer(user.from) && !user.ruled && raise(user, at, change);
      if (!possible) break;
    }
    if (!possible || change.put.empty()) continue;
    if (change.put.size() > input_.options.max_moved) {
      bounds_.insert("no more than " + std::to_string(input_.options.max_moved) +
                     " dependents are worth raising");
      continue;
    }
    if (++tries > kMaxFlatTries) {
      bounds_.insert(flat_tries_bound());
      break;
    }
    const std::string parent =
        change.put.front().release->name + " " + change.put.front().release->version;
    // First without moving the entry itself: its dependents may all have left it.
    auto state = attempt_change(change);
    if (!state || !(*state)->tree.gone(id)) {
      change.put.push_back(put(id, *offers_, at));
      state = attempt_change(change);
    }
    if (!state) {
      if (trouble_.blocker == Blocker::none) trouble_ = state.error();
      if (told.insert(state.error().what).second) {
        note(attempt, Strategy::parent_bump, parent, state.error().what);
      }
      continue;
    }
    attempt.considered.push_back({Strategy::parent_bump, parent, "accepts a safe version", true});
    accept(*std::move(state), id, Strategy::parent_bump, parent + " accepts a safe version");
    return true;
  }
  if (tries == 0)
    note(attempt, Strategy::parent_bump, "",
         "no dependent has a release in range that accepts a safe version");
  return false;
}

/// What a try met, or else who refuses the best version.
void FlatFixing::name_blocker(NodeId id, Attempt& attempt) {
  attempt.fate = Fate::blocked;
  attempt.blocker = trouble_.blocker;
  attempt.reason = trouble_.what;
  if (trouble_.blocker != Blocker::none) return;
  const std::size_t best = safe_.front();
  const semver::Version& version = offers_->packument().version(best);
  const Edge* importer = nullptr;
  std::string asked;
  for (const Edge& user : state_->tree.users(id)) {
    const Accepts accepted = accepts(user);
    if (accepted.trouble.blocker != Blocker::none) {
      attempt.blocker = accepted.trouble.blocker;
      attempt.reason = accepted.trouble.what;
      return;
    }
    if (accepted.demand.takes(version.str())) continue;
    const std::string words = who(user.from) + " asks for " + std::string(user.name) + " `" +
                              printable(accepted.range) + "`";
    if (!is_importer(user.from)) {
      attempt.blocker = Blocker::range;
      attempt.reason = words + ", the lowest safe version is " + target(best);
      return;
    }
    if (importer == nullptr) asked = words;
    importer = &user;
  }
  if (importer == nullptr) {
    attempt.blocker = Blocker::unsupported;
    attempt.reason = target(best) + " is in range, but no strategy that may be used takes it";
    return;
  }
  attempt.fate = Fate::handed_on;
  attempt.blocker = Blocker::major;
  attempt.reason = asked + ", the lowest safe version is " + target(best);
}

}  // namespace cg::plan
