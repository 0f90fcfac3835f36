// What must hold of a lock before it is proposed.
#include <algorithm>

#include "base/base/text.h"
#include "fix/plan/flat_fixing.h"

namespace cg::plan {

using npm::EdgeKind;
using npm::kNoNode;

namespace {

/// What pnpm records of peers is found among the dependencies.
Blocker blocker_of(const edit::EditError& error) {
  return error.what.find("peer") == std::string::npos ? Blocker::unsupported : Blocker::peer;
}

}  // namespace

/// At the end the lock is written, so that a plan never promises what the editor refuses.
Trouble FlatFixing::check(State& state, const Change& change) {
  for (const edit::PutCopy& put : change.put) {
    const NodeId id = index_.at(put.location);
    if (Trouble trouble = check_users(state, state.tree.stands_for(id));
        trouble.blocker != Blocker::none) {
      return trouble;
    }
    if (state.tree.gone(id)) continue;
    if (Trouble trouble = check_peers(state, id); trouble.blocker != Blocker::none) return trouble;
  }
  if (Trouble trouble = check_fresh(state); trouble.blocker != Blocker::none) return trouble;
  const auto text = index_.yarn() ? edit::edit_yarn_lock(input_.graph, state.edit, "")
                                  : edit::edit_pnpm_lock(input_.graph, state.edit);
  if (text) return {};
  return {blocker_of(text.error()), text.error().what};
}

Trouble FlatFixing::check_users(State& state, NodeId id) {
  if (state.tree.gone(id)) return {};
  const std::string version(state.tree.version(id));
  for (const Edge& user : state.tree.users(id)) {
    const Accepts accepted = accepts(user);
    if (accepted.trouble.blocker != Blocker::none) return accepted.trouble;
    if (npm::is_peer(user.kind) || accepted.demand.takes(version)) continue;
    return {Blocker::range, who(user.from) + " asks for " + std::string(user.name) + " `" +
                                printable(accepted.range) + "`"};
  }
  return {};
}

/// A new request must not lead to an entry that has an advisory itself.
Trouble FlatFixing::check_fresh(State& state) {
  for (const Edge& edge : state.tree.fresh()) {
    if (edge.to == kNoNode || is_importer(edge.from)) continue;
    const auto before = input_.graph.edges_of(edge.from);
    const bool old = std::any_of(before.begin(), before.end(), [&](const npm::Edge& other) {
      return other.name == edge.name && other.to == edge.to;
    });
    const auto version = semver::Version::parse(state.tree.version(edge.to), {.loose = true});
    const npm::Node& target = input_.graph.node(edge.to);
    if (old || !version || !market_.affected(target.name, *version)) continue;
    return {Blocker::unsupported, std::string(input_.graph.node(edge.from).name) + " would use " +
                                      std::string(target.name) + " " + version->str() +
                                      ", which has an advisory"};
  }
  return {};
}

Trouble FlatFixing::check_peers(State& state, NodeId id) {
  const registry::Release* release = state.tree.put(id);
  if (release == nullptr) return {};
  const registry::Release* before = release_of(id);
  const std::vector<Edge> users = state.tree.users(id);
  for (const registry::Need& need : release->needs) {
    if (need.kind != EdgeKind::peer) continue;
    const bool same = before != nullptr &&
                      std::any_of(before->needs.begin(), before->needs.end(), [&](const auto& old) {
                        return old.name == need.name && old.range == need.range;
                      });
    if (same) continue;
    for (const Edge& user : users) {
      if (has_peer(state, user, need)) continue;
      return {Blocker::peer, release->name + " " + release->version + " needs the peer " +
                                 need.name + " `" + printable(need.range) + "`, which " +
                                 who(user.from) + " does not give"};
    }
  }
  for (const Edge& user : users) {
    if (Trouble trouble = check_siblings(state, user); trouble.blocker != Blocker::none) {
      return trouble;
    }
  }
  return {};
}

bool FlatFixing::has_peer(State& state, const Edge& user, const registry::Need& need) {
  const edit::Demand demand = edit::read_demand(need.name, need.range);
  const std::vector<Edge> edges = state.tree.edges_of(user.from);
  return std::any_of(edges.begin(), edges.end(), [&](const Edge& edge) {
    if (edge.name != need.name) return false;
    return npm::is_peer(edge.kind) || edge.to == kNoNode ||
           demand.takes(state.tree.version(edge.to));
  });
}

/// Who stands beside the changed entry may have it as a peer.
Trouble FlatFixing::check_siblings(State& state, const Edge& user) {
  const std::string_view before = state_->tree.version(user.to);
  const std::string_view after = state.tree.version(user.to);
  for (const Edge& sibling : state.tree.edges_of(user.from)) {
    if (sibling.to == kNoNode) continue;
    for (const Edge& peer : state.tree.edges_of(sibling.to)) {
      if (!npm::is_peer(peer.kind) || peer.name != user.name) continue;
      const edit::Demand demand = edit::read_demand(peer.name, peer.range);
      if (!demand.takes(before) || demand.takes(after)) continue;
      return {Blocker::peer, who(sibling.to) + " has the peer " + std::string(peer.name) + " `" +
                                 printable(peer.range) + "`"};
    }
  }
  return {};
}

}  // namespace cg::plan
