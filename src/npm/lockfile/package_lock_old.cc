// package-lock.json 1: `dependencies` inside each other, one level per folder.
#include "npm/lockfile/package_lock.h"
#include "npm/npm/spec.h"

namespace cg::lockfile {

namespace {

using Kind = json::JsonReader::Kind;

constexpr std::size_t kBytesPerEntry = 300;  // about; only a guess for reserving
constexpr std::size_t kMaxDepth = 200;       // brackets; real trees have under 40

}  // namespace

PackageLockReader::PackageLockReader(GraphBuilder& builder)
    : builder_(builder),
      reader_(builder.text(),
              {.max_bytes = kMaxLockBytes, .max_depth = kMaxDepth, .max_nodes = kMaxLockBytes}),
      tree_(builder, reader_.seed(), builder.text().size() / kBytesPerEntry) {
  const std::size_t expected = builder.text().size() / kBytesPerEntry;
  builder.reserve(expected, expected * 2);
}

bool PackageLockReader::read_old(const Manifest* root) {
  NodeId id = kNoNode;
  Node node;
  node.source = Source::root;
  if (root != nullptr) {
    node.name = builder_.keep(root->name);
    node.version = builder_.keep(root->version);
  }
  if (!tree_.add(node, id)) {
    shape_ = Shape{version_at_, "`packages` in a lock of lockfileVersion 1"};
    return false;
  }
  if (root != nullptr) ask_for(*root, id);
  return reader_.peek() == Kind::none || read_old_level(id);
}

bool PackageLockReader::finish_old(std::optional<std::uint32_t> tree, const Manifest* root) {
  if (builder_.size() == 0) {
    if (tree) reader_.rewind(*tree);
    if (!read_old(root)) return false;
  }
  if (has_packages_) {
    shape_ = Shape{version_at_, "`packages` in a lock of lockfileVersion 1"};
    return false;
  }
  tree_.resolve();
  return true;
}

void PackageLockReader::ask_for(const Manifest& root, NodeId id) {
  for (const Dependency& dependency : root.dependencies) {
    const std::string_view name = builder_.keep(dependency.name);
    tree_.ask({id, kNoNode, name, builder_.keep(dependency.spec), dependency.kind});
  }
}

bool PackageLockReader::read_old_level(NodeId holder) {
  Key key;
  if (reader_.peek() != Kind::object) return wrong("dependencies", "an object");
  if (!reader_.begin_object()) return false;
  while (reader_.next_key(key)) {
    if (!read_old_entry(holder, key)) return false;
  }
  return reader_.ok();
}

bool PackageLockReader::read_old_entry(NodeId holder, const Key& key) {
  if (reader_.peek() != Kind::object) {
    return wrong("dependencies." + std::string(key.text), "an object");
  }
  Node node;
  const std::string above(builder_.node(holder).location);
  node.location =
      builder_.keep((above.empty() ? "" : above + "/") + "node_modules/" + std::string(key.text));
  node.name = text(key.text);
  NodeId id = kNoNode;
  if (!tree_.add(node, id)) {
    shape_ = Shape{key.offset, "`dependencies` names the same folder twice"};
    return false;
  }
  Key field;
  if (!reader_.begin_object()) return false;
  while (reader_.next_key(field)) {
    if (!read_old_field(id, field.text)) return false;
  }
  builder_.node(id).entry = {key.offset, reader_.end_offset()};
  classify_old(builder_.node(id));
  return reader_.ok();
}

bool PackageLockReader::read_old_field(NodeId id, std::string_view field) {
  Node& node = builder_.node(id);
  if (field == "dependencies") return read_old_level(id);
  // `true` in the oldest: the ranges are not recorded.
  if (field == "requires" && reader_.peek() == Kind::object) {
    return read_dependencies(id, field, EdgeKind::prod);
  }
  if (field == "version") return read_version(node);
  if (field == "resolved" && reader_.peek() == Kind::string) return read_text(field, node.resolved);
  if (field == "integrity") return read_text(field, node.integrity);
  bool value = false;
  if (reader_.peek() != Kind::boolean) return reader_.skip();
  if (!reader_.read_bool(value)) return false;
  if (field == "dev") node.flags.dev = value;
  if (field == "optional") node.flags.optional = value;
  if (field == "bundled") node.flags.bundled = value;
  return true;
}

/// In version 1 the `version` says where the copy comes from if not from a registry.
void PackageLockReader::classify_old(Node& node) {
  const bool plain = !node.version.empty() && node.version[0] >= '0' && node.version[0] <= '9' &&
                     node.version.find_first_of(":/") == std::string_view::npos;
  const npm::Spec spec = plain ? npm::Spec{} : npm::parse_spec(node.version);
  switch (spec.kind) {
    case npm::Spec::Kind::alias:
      node.alias = node.name;
      node.name = spec.name;
      node.version = spec.rest;
      return;
    case npm::Spec::Kind::range:
    case npm::Spec::Kind::tag:
      node.source = node.resolved.empty() ? Source::registry
                                          : npm::source_of_resolved(node.resolved, node.name);
      return;
    case npm::Spec::Kind::git:
      node.source = Source::git;
      break;
    case npm::Spec::Kind::tarball:
      node.source = Source::tarball;
      break;
    case npm::Spec::Kind::directory:
    case npm::Spec::Kind::workspace:
      node.source = Source::directory;
      break;
  }
  if (node.resolved.empty()) node.resolved = node.version;
  node.version = {};
  node.version_at = {};
}

}  // namespace cg::lockfile
