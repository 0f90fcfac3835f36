// FlatTree: a lock of yarn or pnpm as an edit leaves it, said without its bytes.
//
// Such locks have one entry per package and version, wherever it is installed. The
// planner asks this tree what an edit would come to, and the editors write what it
// answers, so both mean the same. What each format says of the entries is its editor's.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "npm/edit/edit.h"
#include "npm/semver/range.h"

namespace cg::edit {

/// What a request comes to: of which package, and which versions of it.
struct Demand {
  enum class Kind {
    range,
    any,    // a tag: in a lock that constrains nothing
    other,  // git, a path, a workspace, a catalog: no version to choose
  };
  Kind kind = Kind::other;
  std::string_view package;
  std::optional<semver::Range> range;
  [[nodiscard]] bool takes(std::string_view version) const;
};
/// Views point into the arguments. "npm:^1.0.0" and "npm:real@^1.0.0" are understood.
[[nodiscard]] Demand read_demand(std::string_view name, std::string_view range);

/// The keys of a lock, looked up once for many trees. The graph must outlive it.
class FlatIndex {
 public:
  explicit FlatIndex(const npm::Graph& graph);

  [[nodiscard]] const npm::Graph& graph() const { return graph_; }
  [[nodiscard]] bool yarn() const { return graph_.kind() != npm::LockKind::pnpm; }
  /// Entries of the package, in the lock's order.
  [[nodiscard]] const std::vector<npm::NodeId>& entries(std::string_view package) const;
  /// kNoNode if there is none.
  [[nodiscard]] npm::NodeId at(std::string_view location) const;
  /// The importer of a folder, "" for the root; kNoNode if there is none.
  [[nodiscard]] npm::NodeId importer(std::string_view folder) const;
  /// The folder of an importer, "" for the root.
  [[nodiscard]] std::string_view folder(npm::NodeId importer) const;
  /// Of yarn: as keys have it. Empty for pnpm.
  [[nodiscard]] std::string descriptor(std::string_view name, std::string_view range) const;
  /// The entry whose key has this descriptor; kNoNode if none has.
  [[nodiscard]] npm::NodeId described(std::string_view descriptor) const;

 private:
  const npm::Graph& graph_;
  std::map<std::string_view, std::vector<npm::NodeId>> by_name_;
  std::map<std::string_view, npm::NodeId> locations_;
  std::map<std::string_view, npm::NodeId> descriptors_;
};

/// The parts of a key of yarn: "a@^1.0.0" and "a@^1.1.0" of "a@^1.0.0, a@^1.1.0".
[[nodiscard]] std::vector<std::string_view> split_descriptors(std::string_view key);

/// "`name`", as errors show what a lock says.
[[nodiscard]] std::string quoted(std::string_view text);
[[nodiscard]] EditError unsupported(const std::string& what);

struct FlatEdge {
  npm::NodeId from = npm::kNoNode;
  npm::NodeId to = npm::kNoNode;
  std::string_view name;
  std::string_view range;
  npm::EdgeKind kind = npm::EdgeKind::prod;
  bool fresh = false;  // not in the lock as it was read
  bool ruled = false;  // a rule of the root manifest decides, not the range
};

class FlatTree {
 public:
  /// The lock as it is. The index must outlive the tree.
  explicit FlatTree(const FlatIndex& index) : index_(index) {}

  /// The lock as it will be; once per tree, and the edit must outlive it. `removed` is
  /// not looked at: orphans() tells. A release whose version is in the lock already joins
  /// that entry. An error of kind unsupported says what the lock would need.
  [[nodiscard]] Result<Done, EditError> apply(const LockEdit& edit);

  [[nodiscard]] const FlatIndex& index() const { return index_; }
  [[nodiscard]] const npm::Node& node(npm::NodeId id) const { return index_.graph().node(id); }
  [[nodiscard]] std::string_view version(npm::NodeId id) const;
  /// What was put there; nullptr if the entry is as it was.
  [[nodiscard]] const registry::Release* put(npm::NodeId id) const;
  /// Itself, or the entry it joined.
  [[nodiscard]] npm::NodeId stands_for(npm::NodeId id) const;
  /// Joined another, or nobody asks for it any more.
  [[nodiscard]] bool gone(npm::NodeId id) const;
  /// Entries that were asked for and no longer are; ascending.
  [[nodiscard]] const std::vector<npm::NodeId>& orphans() const { return orphans_; }

  [[nodiscard]] std::vector<FlatEdge> edges_of(npm::NodeId id) const;
  /// Those that lead here now, of entries that are not gone.
  [[nodiscard]] std::vector<FlatEdge> users(npm::NodeId id) const;
  /// Edges of the lock that are no more.
  [[nodiscard]] std::vector<FlatEdge> dropped() const;
  [[nodiscard]] std::vector<FlatEdge> fresh() const;

 private:
  [[nodiscard]] Result<Done, EditError> place(const PutCopy& put);
  void join();
  [[nodiscard]] Result<Done, EditError> renew(npm::NodeId id, const registry::Release& release);
  [[nodiscard]] Result<Done, EditError> renew(const Ask& ask);
  [[nodiscard]] Result<npm::NodeId, EditError> find(const FlatEdge& edge) const;
  [[nodiscard]] std::optional<npm::NodeId> ruled_target(const FlatEdge& edge) const;
  [[nodiscard]] npm::NodeId bound_target(const FlatEdge& edge, const Demand& demand) const;
  [[nodiscard]] FlatEdge as_read(const npm::Edge& edge) const;
  [[nodiscard]] bool ruled(const npm::Edge& edge) const;
  void sweep();

  const FlatIndex& index_;
  std::map<npm::NodeId, const registry::Release*> put_;
  std::map<npm::NodeId, npm::NodeId> joined_;
  std::map<npm::NodeId, std::vector<FlatEdge>> renewed_;  // all edges of the entry
  std::vector<npm::NodeId> orphans_;
};

}  // namespace cg::edit
