// package-lock.json 2 and 3: the `packages` map, one entry per folder.
#include "npm/lockfile/package_lock.h"

#include <algorithm>
#include <optional>

#include "npm/lockfile/lock.h"
#include "npm/npm/glob.h"
#include "npm/npm/spec.h"

namespace cg::lockfile {

namespace {

using Key = json::JsonReader::Key;
using Kind = json::JsonReader::Kind;

std::optional<EdgeKind> edge_kind_in_package_lock(std::string_view field) {
  if (field == "dependencies") return EdgeKind::prod;
  if (field == "devDependencies") return EdgeKind::dev;
  if (field == "optionalDependencies") return EdgeKind::optional;
  if (field == "peerDependencies") return EdgeKind::peer;
  return std::nullopt;
}

/// Sets the flag that `field` names. False if it names none.
bool set_flag(Flags& flags, std::string_view field, bool value) {
  if (field == "dev") return flags.dev = value, true;
  if (field == "optional") return flags.optional = value, true;
  if (field == "devOptional") return flags.dev_optional = value, true;
  if (field == "peer") return flags.peer = value, true;
  if (field == "inBundle") return flags.bundled = value, true;
  if (field == "hasInstallScript") return flags.install_script = value, true;
  if (field == "hasShrinkwrap") return flags.shrinkwrap = value, true;
  if (field == "extraneous") return flags.extraneous = value, true;
  return false;
}

}  // namespace

std::string_view PackageLockReader::text(std::string_view view) {
  return reader_.in_text(view) ? view : builder_.keep(std::string(view));
}

bool PackageLockReader::read_text(std::string_view field, std::string_view& out) {
  if (reader_.peek() != Kind::string) return wrong(field, "a string");
  if (!reader_.read_string(out)) return false;
  out = text(out);
  return true;
}

bool PackageLockReader::read_version(Node& node) {
  if (reader_.peek() != Kind::string) return wrong("version", "a string");
  // Between the quotes, as written: an escape makes that longer than the version.
  const std::uint32_t begin = reader_.next_offset() + 1;
  if (!read_text("version", node.version)) return false;
  node.version_at = {begin, reader_.end_offset() - 1};
  return true;
}

bool PackageLockReader::wrong(std::string_view field, std::string_view expected) {
  // Where the JSON itself is broken, that is the better message.
  if (reader_.peek() == Kind::none) static_cast<void>(reader_.skip());
  if (reader_.ok() && !shape_) {
    shape_ = Shape{reader_.next_offset(),
                   "`" + std::string(field) + "` is not " + std::string(expected)};
  }
  return false;
}

bool PackageLockReader::read_dependencies(NodeId from, std::string_view field, EdgeKind kind) {
  // Old releases have [] where they mean {}.
  if (reader_.peek() == Kind::array || reader_.peek() == Kind::null) return reader_.skip();
  if (reader_.peek() != Kind::object) return wrong(field, "an object");
  Key key;
  if (!reader_.begin_object()) return false;
  while (reader_.next_key(key)) {
    std::string_view range;
    if (!read_text(field, range)) return false;
    tree_.ask({from, kNoNode, text(key.text), range, kind});
  }
  return reader_.ok();
}

/// {"name": {"optional": true}}: such peers may be missing.
bool PackageLockReader::read_peer_meta(std::vector<std::string_view>& optional) {
  if (reader_.peek() != Kind::object) return reader_.skip();
  Key name;
  Key field;
  if (!reader_.begin_object()) return false;
  while (reader_.next_key(name)) {
    if (reader_.peek() != Kind::object) {
      if (!reader_.skip()) return false;
      continue;
    }
    if (!reader_.begin_object()) return false;
    while (reader_.next_key(field)) {
      bool is = false;
      const bool read = field.text == "optional" && reader_.peek() == Kind::boolean
                            ? reader_.read_bool(is)
                            : reader_.skip();
      if (!read) return false;
      if (is) optional.push_back(text(name.text));
    }
  }
  return reader_.ok();
}

bool PackageLockReader::read_workspaces() {
  Key key;
  if (reader_.peek() == Kind::object) {
    if (!reader_.begin_object()) return false;
    while (reader_.next_key(key)) {
      if (!(key.text == "packages" ? read_workspaces() : reader_.skip())) return false;
    }
    return reader_.ok();
  }
  if (reader_.peek() != Kind::array) return reader_.skip();
  if (!reader_.begin_array()) return false;
  while (reader_.next_item()) {
    std::string_view pattern;
    if (!read_text("workspaces", pattern)) return false;
    workspaces_.emplace_back(pattern);
  }
  return reader_.ok();
}

bool PackageLockReader::read_field(NodeId id, std::string_view field,
                                   std::vector<std::string_view>& optional_peers) {
  Node& node = builder_.node(id);
  if (const auto kind = edge_kind_in_package_lock(field))
    return read_dependencies(id, field, *kind);
  if (field == "version") return read_version(node);
  if (field == "resolved" && reader_.peek() == Kind::string) return read_text(field, node.resolved);
  if (field == "integrity") return read_text(field, node.integrity);
  if (field == "name") return read_text(field, node.name);
  if (field == "peerDependenciesMeta") return read_peer_meta(optional_peers);
  if (field == "workspaces" && node.location.empty()) return read_workspaces();
  bool value = false;
  if (reader_.peek() != Kind::boolean) return reader_.skip();
  if (!reader_.read_bool(value)) return false;
  if (field == "link" && value) node.source = Source::link;
  set_flag(node.flags, field, value);
  return true;
}

bool PackageLockReader::read_entry(const Key& key) {
  if (reader_.peek() != Kind::object)
    return wrong("packages." + std::string(key.text), "an object");
  NodeId id = kNoNode;
  Node node;
  node.location = text(key.text);
  if (!tree_.add(node, id)) {
    shape_ = Shape{key.offset, "`packages` names the same folder twice"};
    return false;
  }
  const std::size_t first_edge = builder_.edges().size();
  std::vector<std::string_view> optional_peers;
  Key field;
  if (!reader_.begin_object()) return false;
  while (reader_.next_key(field)) {
    if (!read_field(id, field.text, optional_peers)) return false;
  }
  for (std::size_t i = first_edge; i < builder_.edges().size(); ++i) {
    Edge& edge = builder_.edges()[i];
    if (edge.kind == EdgeKind::peer && std::find(optional_peers.begin(), optional_peers.end(),
                                                 edge.name) != optional_peers.end()) {
      edge.kind = EdgeKind::peer_optional;
    }
  }
  builder_.node(id).entry = {key.offset, reader_.end_offset()};
  return reader_.ok();
}

bool PackageLockReader::read_packages() {
  if (reader_.peek() != Kind::object) return wrong("packages", "an object");
  has_packages_ = true;
  Key key;
  if (!reader_.begin_object_of_known_keys()) return false;  // the tree compares them
  while (reader_.next_key(key)) {
    if (!read_entry(key)) return false;
  }
  return reader_.ok();
}

/// Once all fields are known: what each copy is, and under which name it goes.
void PackageLockReader::classify(Node& node) {
  const std::string_view folder = npm::folder_name(node.location);
  if (node.location.empty()) {
    node.source = Source::root;
  } else if (folder.empty()) {
    node.source =
        npm::is_workspace(workspaces_, node.location) ? Source::workspace : Source::directory;
  } else if (node.source == Source::link) {
    node.alias = folder;
    return;
  } else {
    node.source = npm::source_of_resolved(node.resolved, node.name.empty() ? folder : node.name);
  }
  if (node.name.empty()) {
    node.name = folder;
  } else if (!folder.empty() && node.name != folder) {
    node.alias = folder;
  }
}

bool PackageLockReader::run(const Manifest* root) {
  Key key;
  std::optional<std::uint32_t> old_tree;
  if (!reader_.begin_object()) return false;
  while (reader_.next_key(key)) {
    bool good = true;
    if (key.text == "lockfileVersion" && reader_.peek() == Kind::number) {
      version_at_ = key.offset;
      good = reader_.read_int(version_.emplace());
    } else if (key.text == "packages") {
      good = read_packages();
    } else if (key.text == "dependencies" && reader_.peek() == Kind::object) {
      // npm writes the version first; who writes it last gets the tree read a second time.
      old_tree = reader_.next_offset();
      good = version_ == 1 ? read_old(root) : reader_.skip();
    } else {
      good = reader_.skip();
    }
    if (!good) return false;
  }
  if (!reader_.finish() || !check_version()) return false;
  if (*version_ == 1) return finish_old(old_tree, root);
  if (!has_packages_) {
    shape_ = Shape{version_at_, "no `packages`, which lockfileVersion 2 and 3 must have"};
    return false;
  }
  for (NodeId id = 0; id < builder_.size(); ++id) classify(builder_.node(id));
  tree_.resolve();
  return true;
}

bool PackageLockReader::check_version() {
  constexpr std::int64_t kOldest = 1;
  constexpr std::int64_t kNewest = 3;
  if (version_ && *version_ >= kOldest && *version_ <= kNewest) {
    builder_.set_lock_version(builder_.keep(std::to_string(*version_)));
    return true;
  }
  bad_version_ = true;
  shape_ = version_ ? Shape{version_at_, "lockfileVersion " + std::to_string(*version_) +
                                             " is not one of 1, 2 and 3"}
                    : Shape{0, "no lockfileVersion: written by an npm before 5.0, without ranges"};
  return false;
}

LockError PackageLockReader::error() const {
  if (!reader_.ok()) {
    json::ParseError error = reader_.error();
    const auto kind = error.kind == json::ParseError::Kind::too_large ? LockError::Kind::too_large
                                                                      : LockError::Kind::syntax;
    return {kind, error.at, json::describe_what(error)};
  }
  return {bad_version_ ? LockError::Kind::version : LockError::Kind::shape,
          json::locate(builder_.text(), shape_->offset), shape_->what};
}

Result<Graph, LockError> read_package_lock(LockKind kind, std::string text, const Manifest* root) {
  GraphBuilder builder(kind, std::move(text));
  if (builder.text().size() > kMaxLockBytes) {
    return fail(LockError{LockError::Kind::too_large, {}, "more than 64 MiB"});
  }
  PackageLockReader reader(builder);
  if (!reader.run(root)) return fail(reader.error());
  return std::move(builder).finish();
}

}  // namespace cg::lockfile
