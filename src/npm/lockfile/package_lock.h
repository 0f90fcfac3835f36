// The reader behind read_package_lock(). Private to this module.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json/json_reader.h"
#include "base/json/parsing.h"
#include "npm/lockfile/lock.h"
#include "npm/npm/tree.h"

namespace cg::lockfile {

class PackageLockReader {
 public:
  explicit PackageLockReader(GraphBuilder& builder);
  [[nodiscard]] bool run(const Manifest* root);
  [[nodiscard]] LockError error() const;

 private:
  using Key = json::JsonReader::Key;
  struct Shape {
    std::uint32_t offset;
    std::string what;
  };

  [[nodiscard]] std::string_view text(std::string_view view);
  bool read_text(std::string_view field, std::string_view& out);
  bool read_version(Node& node);
  bool wrong(std::string_view field, std::string_view expected);
  bool check_version();

  bool read_packages();
  bool read_entry(const Key& key);
  bool read_field(NodeId id, std::string_view field, std::vector<std::string_view>& optional_peers);
  bool read_dependencies(NodeId from, std::string_view field, EdgeKind kind);
  bool read_peer_meta(std::vector<std::string_view>& optional);
  bool read_workspaces();
  void classify(Node& node);

  // package_lock_old.cc
  bool read_old(const Manifest* root);
  bool finish_old(std::optional<std::uint32_t> tree, const Manifest* root);
  bool read_old_level(NodeId holder);
  bool read_old_entry(NodeId holder, const Key& key);
  bool read_old_field(NodeId id, std::string_view field);
  void classify_old(Node& node);
  void ask_for(const Manifest& root, NodeId id);

  GraphBuilder& builder_;
  json::JsonReader reader_;
  npm::Tree tree_;
  std::optional<std::int64_t> version_;
  std::uint32_t version_at_ = 0;
  bool has_packages_ = false;
  bool bad_version_ = false;
  std::optional<Shape> shape_;
  std::vector<std::string> workspaces_;
};

}  // namespace cg::lockfile
