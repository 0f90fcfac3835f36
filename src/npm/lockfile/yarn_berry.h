// The reader behind read_yarn_berry(). Private to this module.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "npm/lockfile/yaml_lock.h"
#include "npm/lockfile/yarn_parts.h"
#include "npm/npm/key_index.h"

namespace cg::lockfile {

class BerryReader {
 public:
  BerryReader(GraphBuilder& builder, const std::vector<Manifest>& manifests);
  [[nodiscard]] bool run();
  [[nodiscard]] LockError error() const { return yaml_.error(); }

 private:
  using Key = YamlLock::Key;
  struct Request {
    std::string_view name;
    std::string_view range;
    EdgeKind kind;
  };
  struct Entry {
    Key key;
    Span span;
    std::string_view version;
    Span version_at;
    std::string_view resolution;
    std::string_view checksum;
    std::size_t first_request = 0;
    std::size_t end_request = 0;
  };

  bool read_text();
  bool read_metadata();
  bool read_entry(const Key& key);
  bool read_field(Entry& entry, const Key& field);
  bool read_requests(std::string_view field, EdgeKind kind);
  bool read_meta(std::string_view field, std::vector<std::string_view>& optional);
  void finish_requests(const Entry& entry);

  bool build();
  bool add_node(const Entry& entry);
  bool add_descriptors(const Entry& entry, NodeId id);
  void add_patched(const YarnDescriptor& descriptor, NodeId id);
  void add_edges(const Entry& entry, NodeId id);
  void find_only_ones();
  [[nodiscard]] NodeId find(std::string_view name, std::string_view range);

  GraphBuilder& builder_;
  YamlLock yaml_;
  const std::vector<Manifest>& manifests_;
  Resolutions resolutions_;
  bool has_metadata_ = false;
  std::vector<Entry> entries_;
  std::vector<Request> requests_;
  std::vector<std::string_view> optional_;        // of one entry: dependenciesMeta
  std::vector<std::string_view> optional_peers_;  // and peerDependenciesMeta
  npm::KeyIndex descriptors_;
  npm::KeyIndex unbound_;  // descriptors without the `::locator=` that binds them to a package
  npm::KeyIndex patched_;  // what a builtin patch takes the place of
  npm::KeyIndex only_;     // by name; of several the first
  npm::KeyIndex several_;  // names in only_ that stand for several nodes
  std::vector<std::pair<std::string_view, NodeId>> keys_;  // all descriptors
  std::string probe_;
};

}  // namespace cg::lockfile
