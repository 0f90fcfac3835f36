#include "fix/plan/flat_fixing.h"

#include <algorithm>

#include "base/base/text.h"

namespace cg::plan {

using npm::EdgeKind;
using npm::kNoNode;
using npm::LockKind;

namespace {

std::optional<semver::Version> read_version(std::string_view text) {
  auto version = semver::Version::parse(text, {.loose = true});
  if (!version) return std::nullopt;
  return *std::move(version);
}

std::string_view tool(LockKind kind) { return kind == LockKind::pnpm ? "pnpm" : "yarn"; }

std::string_view suffix(Strategy strategy) {
  if (strategy == Strategy::direct_bump) return "-direct-bump";
  return strategy == Strategy::parent_bump ? "-parent-bump" : "-relock";
}

}  // namespace

FlatFixing::FlatFixing(const Input& input)
    : input_(input),
      index_(input.graph),
      market_(input.source, input.advisories, input.options, installed_in(input.graph)),
      state_(std::make_unique<State>(index_)) {}

std::size_t FlatFixing::fix_of(NodeId id) const {
  const auto found = fix_of_.find(id);
  return found == fix_of_.end() ? 0 : found->second;
}

bool FlatFixing::is_importer(NodeId id) const {
  const npm::Source source = input_.graph.node(id).source;
  return source == npm::Source::root || source == npm::Source::workspace;
}

std::string FlatFixing::who(NodeId id) const {
  const npm::Node& node = input_.graph.node(id);
  if (!is_importer(id)) return std::string(node.name) + " " + std::string(state_->tree.version(id));
  const std::string_view folder = index_.folder(id);
  return folder.empty() ? "the root" : "`" + std::string(folder) + "`";
}

bool FlatFixing::allowed(Strategy strategy) const {
  const auto& some = input_.options.strategies;
  return some.empty() || std::find(some.begin(), some.end(), strategy) != some.end();
}

std::string FlatFixing::target(std::size_t at) const {
  return offers_->packument().name() + " " + offers_->packument().version(at).str();
}

void FlatFixing::note(Attempt& attempt, Strategy strategy, std::string target, std::string answer) {
  attempt.considered.push_back({strategy, std::move(target), std::move(answer), false});
}

edit::PutCopy FlatFixing::put(NodeId id, Offers& offers, std::size_t at) const {
  const npm::Node& node = input_.graph.node(id);
  return {std::string(node.location), &offers.packument().release(at), node.flags};
}

bool FlatFixing::is_vulnerable(NodeId id) {
  const edit::FlatTree& tree = state_->tree;
  const NodeId now = tree.stands_for(id);
  if (now == id && tree.gone(id)) return false;
  const std::optional<semver::Version> version = read_version(tree.version(now));
  return version && market_.affected(input_.graph.node(id).name, *version);
}

bool FlatFixing::fix(NodeId id) {
  Attempt attempt;
  trouble_ = {};
  bounds_.clear();
  bool done = false;
  if (find_safe(id, attempt)) {
    done = input_.options.target_for(input_.graph.node(id).name) != nullptr
               ? bump_direct(id, attempt)
               : relock(id, attempt) || bump_direct(id, attempt) || bump_parents(id, attempt);
    if (!done) name_blocker(id, attempt);
    if (!done) say_bounds(bounds_, attempt);
  }
  attempts_[id] = std::move(attempt);
  return done;
}

/// The versions that would do, best first; false if there are none.
bool FlatFixing::find_safe(NodeId id, Attempt& attempt) {
  const npm::Node& node = input_.graph.node(id);
  const auto give_up = [&](Blocker blocker, std::string reason) {
    attempt.blocker = blocker;
    attempt.reason = std::move(reason);
    return false;
  };
  const std::optional<semver::Version> version = read_version(state_->tree.version(id));
  if (node.source != npm::Source::registry || !version) {
    return give_up(Blocker::source, "it does not come from a registry");
  }
  offers_ = market_.offers(node.name);
  if (offers_ == nullptr) {
    return give_up(Blocker::registry,
                   "what is published of " + std::string(node.name) + " is not known");
  }
  const auto now = offers_->packument().find(*version);
  const bool had_script = now && offers_->packument().install_script(*now);
  safe_ = choose_safe(*offers_, *version, had_script, input_.options, attempt);
  if (attempt.fate == Fate::no_fix) {
    attempt.reason = offers_->safe_below(*version) ? "only older versions are safe"
                                                   : "no published version is safe";
  }
  return !safe_.empty();
}

const registry::Release* FlatFixing::release_of(NodeId id) {
  if (const registry::Release* release = state_->tree.put(id)) return release;
  const npm::Node& node = input_.graph.node(id);
  const std::optional<semver::Version> version = read_version(node.version);
  Offers* offers = version ? market_.offers(node.name) : nullptr;
  const auto at = offers == nullptr ? std::nullopt : offers->packument().find(*version);
  return at ? &offers->packument().release(*at) : nullptr;
}

/// Of the entry that the lock gives, whatever it is part of by now; empty if it gives none.
std::string_view FlatFixing::version_before(const Edge& edge) const {
  for (const npm::Edge& old : input_.graph.edges_of(edge.from)) {
    if (old.name == edge.name && old.to != kNoNode) return input_.graph.node(old.to).version;
  }
  return {};
}

/// yarn writes down what was asked for. pnpm does so for importers alone; of the others
/// it is what they were published with.
FlatFixing::Accepts FlatFixing::accepts(const Edge& edge) {
  Accepts out;
  out.range = edge.range;
  if (!index_.yarn() && !is_importer(edge.from) && !edge.fresh && !npm::is_peer(edge.kind)) {
    const registry::Release* release = release_of(edge.from);
    const registry::Need* found = nullptr;
    if (release != nullptr) {
      const auto need =
          std::find_if(release->needs.begin(), release->needs.end(),
                       [&](const registry::Need& one) { return one.name == edge.name; });
      if (need != release->needs.end()) found = &*need;
    }
    if (found == nullptr) {
      out.trouble = {Blocker::registry, "what " + who(edge.from) + " asks for is not known"};
      return out;
    }
    out.range = found->range;
    out.demand = edit::read_demand(edge.name, found->range);
  } else {
    out.demand = edit::read_demand(edge.name, edge.range);
  }
  if (edge.ruled) {
    out.trouble = {Blocker::override_rule, "a resolution of the root manifest decides which " +
                                               std::string(edge.name) + " " + who(edge.from) +
                                               " gets"};
  } else if (out.demand.kind == edit::Demand::Kind::other) {
    out.trouble = {out.range.starts_with("catalog:") ? Blocker::unsupported : Blocker::source,
                   who(edge.from) + " asks for " + std::string(edge.name) + " as `" +
                       printable(out.range) + "`"};
  } else if (!edge.fresh && !out.demand.takes(version_before(edge))) {
    out.trouble = {Blocker::override_rule, who(edge.from) + " asks for " + std::string(edge.name) +
                                               " `" + printable(out.range) +
                                               "` and gets another: an override is in force"};
  }
  return out;
}

bool FlatFixing::takes(const Edge& edge, const semver::Version& version) {
  const Accepts accepted = accepts(edge);
  return accepted.trouble.blocker == Blocker::none && accepted.demand.takes(version.str());
}

/// On top of what was accepted before; everything is worked out anew, as the editor will.
Result<std::unique_ptr<FlatFixing::State>, Trouble> FlatFixing::attempt_change(
    const Change& change) {
  auto state = std::make_unique<State>(index_);
  state->edit = state_->edit;
  state->edit.removed.clear();
  for (const edit::PutCopy& put : change.put) {
    auto& all = state->edit.put;
    const auto old = std::find_if(all.begin(), all.end(), [&](const edit::PutCopy& other) {
      return other.location == put.location;
    });
    if (old == all.end()) {
      all.push_back(put);
    } else {
      *old = put;
    }
  }
  for (const edit::Ask& ask : change.asks) {
    auto& all = state->edit.asks;
    const auto old = std::find_if(all.begin(), all.end(), [&](const edit::Ask& other) {
      return other.importer == ask.importer && other.name == ask.name;
    });
    if (old == all.end()) {
      all.push_back(ask);
    } else {
      old->to = ask.to;
    }
  }
  const auto applied = state->tree.apply(state->edit);
  if (!applied) return fail(Trouble{Blocker::unsupported, applied.error().what});
  for (const NodeId id : state->tree.orphans()) {
    state->edit.removed.emplace_back(input_.graph.node(id).location);
  }
  Trouble trouble = check(*state, change);
  if (trouble.blocker != Blocker::none) return fail(std::move(trouble));
  return state;
}

void FlatFixing::accept(std::unique_ptr<State> state, NodeId id, Strategy strategy,
                        std::string why) {
  const npm::Node& node = input_.graph.node(id);
  Fix fix;
  fix.strategy = strategy;
  fix.package = node.name;
  fix.from = state_->tree.version(id);
  fix.recipe = input_.options.target_for(node.name) != nullptr
                   ? kModelRecipe
                   : std::string(tool(input_.graph.kind())) + std::string(suffix(strategy));
  if (input_.graph.kind() == LockKind::yarn_berry) {
    why += "; `yarn install --mode=update-lockfile` fills in the checksum";
  }
  fix.why = std::move(why);
  const NodeId now = state->tree.stands_for(id);
  if (!state->tree.gone(now)) fix.to = state->tree.version(now);
  for (NodeId other = 0; other < input_.graph.nodes().size(); ++other) {
    const bool changed = state->tree.put(other) != state_->tree.put(other) ||
                         state->tree.gone(other) != state_->tree.gone(other);
    if (!changed) continue;
    fix.touched.emplace_back(input_.graph.node(other).location);
    fix_of_[other] = fixes_.size() + 1;
  }
  for (const edit::Ask& ask : state->edit.asks) {
    const bool known = std::any_of(
        state_->edit.asks.begin(), state_->edit.asks.end(), [&](const edit::Ask& other) {
          return other.importer == ask.importer && other.name == ask.name && other.to == ask.to;
        });
    if (!known) fix.touched.push_back("manifest " + ask.importer);
  }
  std::sort(fix.touched.begin(), fix.touched.end());
  fix.touched.erase(std::unique(fix.touched.begin(), fix.touched.end()), fix.touched.end());
  fixes_.push_back(std::move(fix));
  state_ = std::move(state);
}

}  // namespace cg::plan
