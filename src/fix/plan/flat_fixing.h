// Fixing one entry of a flat lock: the strategies, each of them a try on a tree of its
// own. Not for other modules.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fix/plan/input.h"
#include "fix/plan/market.h"
#include "fix/plan/words.h"
#include "npm/edit/flat_tree.h"

namespace cg::plan {

/// Why a change cannot be made.
struct Trouble {
  Blocker blocker = Blocker::none;
  std::string what;
};

class FlatFixing {
 public:
  explicit FlatFixing(const Input& input);

  /// True if the lock changed such that the entry is safe or gone.
  bool fix(npm::NodeId id);
  [[nodiscard]] bool is_vulnerable(npm::NodeId id);

  [[nodiscard]] const edit::FlatTree& tree() const { return state_->tree; }
  [[nodiscard]] const edit::LockEdit& edit() const { return state_->edit; }
  [[nodiscard]] const std::vector<Fix>& fixes() const { return fixes_; }
  [[nodiscard]] const Attempt& attempt(npm::NodeId id) { return attempts_[id]; }
  /// 1-based, 0 if no fix changed it.
  [[nodiscard]] std::size_t fix_of(npm::NodeId id) const;

 private:
  using NodeId = npm::NodeId;
  using Edge = edit::FlatEdge;
  /// A lock that might be.
  struct State {
    explicit State(const edit::FlatIndex& index) : tree(index) {}
    edit::LockEdit edit;
    edit::FlatTree tree;
  };
  /// What is to be changed together.
  struct Change {
    std::vector<edit::PutCopy> put;
    std::vector<edit::Ask> asks;
  };
  /// What a dependent accepts.
  struct Accepts {
    edit::Demand demand;
    Trouble trouble;  // it cannot be told, or must not be changed
    std::string range;
  };

  // flat_fixing.cc
  bool find_safe(NodeId id, Attempt& attempt);
  [[nodiscard]] Accepts accepts(const Edge& edge);
  [[nodiscard]] bool takes(const Edge& edge, const semver::Version& version);
  [[nodiscard]] std::string_view version_before(const Edge& edge) const;
  [[nodiscard]] const registry::Release* release_of(NodeId id);
  [[nodiscard]] Result<std::unique_ptr<State>, Trouble> attempt_change(const Change& change);
  void accept(std::unique_ptr<State> state, NodeId id, Strategy strategy, std::string why);
  void note(Attempt& attempt, Strategy strategy, std::string target, std::string answer);
  [[nodiscard]] edit::PutCopy put(NodeId id, Offers& offers, std::size_t at) const;
  [[nodiscard]] std::string who(NodeId id) const;
  [[nodiscard]] bool allowed(Strategy strategy) const;
  [[nodiscard]] bool is_importer(NodeId id) const;
  [[nodiscard]] std::string target(std::size_t at) const;

  // flat_checks.cc: of a lock that might be
  [[nodiscard]] Trouble check(State& state, const Change& change);
  [[nodiscard]] Trouble check_users(State& state, NodeId id);
  [[nodiscard]] Trouble check_fresh(State& state);
  [[nodiscard]] Trouble check_peers(State& state, NodeId id);
  [[nodiscard]] Trouble check_siblings(State& state, const Edge& user);
  [[nodiscard]] bool has_peer(State& state, const Edge& user, const registry::Need& need);

  // flat_strategies.cc
  bool relock(NodeId id, Attempt& attempt);
  bool bump_direct(NodeId id, Attempt& attempt);
  [[nodiscard]] std::optional<edit::Ask> ask_of(const Edge& edge, const semver::Version& version);
  bool bump_parents(NodeId id, Attempt& attempt);
  [[nodiscard]] bool raise(const Edge& user, std::size_t at, Change& change);
  [[nodiscard]] bool leaves(const registry::Release& release, const Edge& user, std::size_t at);
  void name_blocker(NodeId id, Attempt& attempt);

  const Input& input_;
  edit::FlatIndex index_;
  Market market_;
  std::unique_ptr<State> state_;
  std::map<NodeId, Attempt> attempts_;
  std::vector<Fix> fixes_;
  std::map<NodeId, std::size_t> fix_of_;

  // Of the entry being fixed.
  Offers* offers_ = nullptr;
  std::vector<std::size_t> safe_;
  Trouble trouble_;               // the first that a try met
  std::set<std::string> bounds_;  // at which a search ended
};

}  // namespace cg::plan
