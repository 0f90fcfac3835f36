// The reader behind read_pnpm_lock(). Private to this module.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "npm/lockfile/pnpm_key.h"
#include "npm/lockfile/yaml_lock.h"
#include "npm/npm/key_index.h"

namespace cg::lockfile {

/// A document of the stream, as it is written.
struct PnpmDocument {
  struct Dependency {
    std::string_view name;
    std::string_view specifier;  // of importers only
    std::string_view reference;
    EdgeKind kind = EdgeKind::prod;
  };
  struct Peer {
    std::string_view name;
    std::string_view range;
    bool optional = false;
  };
  /// Half-open ranges of indexes.
  struct Slice {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  struct Importer {
    std::string_view path;
    Span entry;
    Slice dependencies;
  };
  struct Package {
    YamlLock::Key key;
    Span entry;
    std::string_view name;
    std::string_view version;
    Span version_at;
    std::string_view integrity;
    std::string_view tarball;
    std::string_view type;
    std::string_view directory;
    std::string_view repo;
    std::string_view commit;
    bool git_hosted = false;
    bool dev = false;
    bool optional = false;
    bool requires_build = false;
    Slice dependencies;
    Slice peers;
  };

  std::string_view version;
  std::uint32_t begin = 0;
  std::uint32_t version_begin = 0;
  bool environment = false;  // of pnpm itself: packageManagerDependencies, configDependencies
  std::vector<Importer> importers;
  std::vector<Package> packages;
  std::vector<Package> snapshots;
  std::vector<Dependency> dependencies;
  std::vector<Peer> peers;
};

class PnpmLockReader {
 public:
  explicit PnpmLockReader(GraphBuilder& builder) : builder_(builder), yaml_(builder) {}
  [[nodiscard]] bool run();
  [[nodiscard]] LockError error() const { return yaml_.error(); }

 private:
  using Key = YamlLock::Key;
  using Dependency = PnpmDocument::Dependency;
  using Importer = PnpmDocument::Importer;
  using Package = PnpmDocument::Package;

  struct Built {
    NodeId node;
    const Package* package;  // what it gets
    const Package* facts;    // what it is; since v9 another entry
  };

  // pnpm_lock.cc: the text to documents
  bool read_documents();
  bool read_document(PnpmDocument& document);
  bool read_importers(PnpmDocument& document);
  bool read_importer_field(PnpmDocument& document, Importer& importer, const Key& field);
  bool read_importer_dependencies(PnpmDocument& document, std::string_view field, EdgeKind kind);
  bool read_specifiers();
  bool read_packages(PnpmDocument& document, std::string_view field, std::vector<Package>& out);
  bool read_package_field(PnpmDocument& document, Package& package, const Key& field);
  bool read_resolution(Package& package);
  bool read_dependencies(PnpmDocument& document, std::string_view field, EdgeKind kind);
  bool read_peers(PnpmDocument& document);
  bool read_peers_meta();
  void finish_importer(PnpmDocument& document, Importer& importer);
  void finish_peers(PnpmDocument& document, Package& package);

  // pnpm_build.cc: a document to the graph
  bool choose(PnpmDocument& out);
  bool build(const PnpmDocument& document);
  bool add_importers(const PnpmDocument& document);
  void add_packages(const PnpmDocument& document);
  void add_package(const Package& package, const Package* meta);
  void add_edges(const PnpmDocument& document);
  bool check_names();
  void add_package_edges(const PnpmDocument& document, const Built& built);
  [[nodiscard]] NodeId target_of(std::string_view folder, const Dependency& dependency);
  [[nodiscard]] NodeId linked(std::string_view folder, const Dependency& dependency);
  void name_alias(NodeId to, std::string_view name);

  GraphBuilder& builder_;
  YamlLock yaml_;
  std::vector<PnpmDocument> documents_;
  PnpmFormat format_ = PnpmFormat::v9;
  std::optional<npm::KeyIndex> nodes_;    // packages by key
  std::optional<npm::KeyIndex> folders_;  // importers and links by path
  std::optional<npm::KeyIndex> metas_;    // v9: indexes into packages
  std::vector<Built> built_;
  std::vector<std::pair<std::string_view, std::string_view>> specifiers_;  // of one importer
  std::vector<std::string_view> optional_peers_;                           // of one package
  std::string probe_;
};

}  // namespace cg::lockfile
