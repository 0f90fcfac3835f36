// yarn.lock of yarn 2 and later: YAML, one entry for each resolution.
#include "npm/lockfile/yarn_berry.h"

#include <algorithm>

#include "base/base/text.h"
#include "base/json/parsing.h"
#include "npm/npm/reach.h"

namespace cg::lockfile {

namespace {

constexpr std::uint64_t kOldest = 3;
constexpr std::uint64_t kNewest = 10;
constexpr std::string_view kWorkspace = "workspace:";
constexpr std::string_view kPatch = "patch:";

bool has_prefix(std::string_view text, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return text.starts_with(prefix); });
}

/// %3A and the like; anything else stays.
std::string yarn_decoded(std::string_view text) {
  const auto digit = [](char c) -> int {
    if (c >= '0' && c <= '9') return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool coded = text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 2 &&
                       digit(text[i + 1]) < 8 && digit(text[i + 2]) >= 0;
    out += coded ? static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2])) : text[i];
    if (coded) i += 2;
  }
  return out;
}

/// "npm:1.0.0" of "virtual:0123abcd#npm:1.0.0".
std::string_view devirtualized(std::string_view reference) {
  if (!reference.starts_with("virtual:")) return reference;
  const std::size_t hash = reference.find('#');
  return hash == kNone ? reference : reference.substr(hash + 1);
}

Source source_of_reference(std::string_view reference) {
  const std::string_view path = reference.substr(0, reference.find("::"));
  if (path.starts_with("npm:")) return Source::registry;
  if (path.starts_with(kWorkspace)) {
    return path.substr(kWorkspace.size()) == "." ? Source::root : Source::workspace;
  }
  if (path.starts_with("link:")) return Source::link;
  if (path.starts_with("file:")) {
    const std::string_view file = path.substr(0, path.find('#'));
    return has_prefix(file.substr(std::min<std::size_t>(file.size(), file.rfind('.'))),
                      {".tgz", ".gz", ".tar"})
               ? Source::tarball
               : Source::directory;
  }
  if (has_prefix(path, {"portal:", "exec:"})) return Source::directory;
  if (has_prefix(path, {"git", "ssh:"}) || path.find(".git#") != kNone ||
      path.find("#commit") != kNone) {
    return Source::git;
  }
  return path.find(':') == kNone ? Source::registry : Source::tarball;
}

/// A patch is of the source of what it patches.
Source source_of(std::string_view reference) {
  if (!reference.starts_with(kPatch)) return source_of_reference(reference);
  const std::string_view inner = reference.substr(kPatch.size());
  const std::string decoded = yarn_decoded(inner.substr(0, inner.find('#')));
  return source_of_reference(devirtualized(parse_descriptor(decoded).range));
}

std::optional<EdgeKind> edge_kind_in_berry_lock(std::string_view field) {
  if (field == "dependencies") return EdgeKind::prod;
  if (field == "optionalDependencies") return EdgeKind::optional;
  if (field == "peerDependencies") return EdgeKind::peer;
  return std::nullopt;
}

bool contains(const std::vector<std::string_view>& sorted, std::string_view name) {
  return std::binary_search(sorted.begin(), sorted.end(), name);
}

/// How the manifests of the repository ask; the lock does not tell.
class Kinds {
 public:
  explicit Kinds(const Manifest* manifest) {
    if (manifest == nullptr) return;
    for (const Dependency& dependency : manifest->dependencies) {
      const bool peer =
          dependency.kind == EdgeKind::peer || dependency.kind == EdgeKind::peer_optional;
      if (!peer) kinds_.emplace_back(dependency.name, dependency.kind);
    }
    std::stable_sort(kinds_.begin(), kinds_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
  }
  [[nodiscard]] std::optional<EdgeKind> of(std::string_view name) const {
    const auto found =
        std::lower_bound(kinds_.begin(), kinds_.end(), name,
                         [](const auto& entry, std::string_view key) { return entry.first < key; });
    if (found == kinds_.end() || found->first != name) return std::nullopt;
    return found->second;
  }

 private:
  std::vector<std::pair<std::string_view, EdgeKind>> kinds_;
};

}  // namespace

BerryReader::BerryReader(GraphBuilder& builder, const std::vector<Manifest>& manifests)
    : builder_(builder),
      yaml_(builder),
      manifests_(manifests),
      resolutions_(manifests),
      descriptors_(builder.text().size() / 256),
      unbound_(0),
      patched_(0),
      only_(0),
      several_(0) {}

bool BerryReader::run() {
  if (!read_text()) return false;
  if (!has_metadata_) return yaml_.fail(LockError::Kind::version, 0, "no __metadata");
  return build();
}

bool BerryReader::read_text() {
  if (!yaml_.next_document()) return yaml_.at_end();
  const bool read = yaml_.each("the lockfile", [&](const Key& key) {
    return key.text == "__metadata" ? read_metadata() : read_entry(key);
  });
  if (!read) return false;
  if (yaml_.next_document()) {
    return yaml_.fail(LockError::Kind::syntax, yaml_.end(), "more than one document");
  }
  return yaml_.at_end();
}

bool BerryReader::read_metadata() {
  has_metadata_ = true;
  std::string_view version;
  const bool read = yaml_.each("__metadata", [&](const Key& field) {
    return field.text == "version" ? yaml_.read(field.text, version) : yaml_.skip();
  });
  if (!read) return false;
  builder_.set_lock_version(version);
  const std::optional<std::uint64_t> number = parse_u64(version);
  if (number && *number >= kOldest && *number <= kNewest) return true;
  return yaml_.fail(LockError::Kind::version, yaml_.end(),
                    "__metadata.version `" + json::excerpt(version) + "` is not read: 3 to 10 are");
}

bool BerryReader::read_entry(const Key& key) {
  Entry entry;
  entry.key = key;
  entry.first_request = requests_.size();
  optional_.clear();
  optional_peers_.clear();
  const bool read =
      yaml_.each(key.text, [&](const Key& field) { return read_field(entry, field); });
  if (!read) return false;
  entry.span = {key.begin, yaml_.end()};
  entry.end_request = requests_.size();
  if (parse_descriptor(entry.resolution).name.empty()) {
    return yaml_.fail(LockError::Kind::shape, key.begin,
                      "`" + json::excerpt(key.text) + "` has no resolution that names a package");
  }
  finish_requests(entry);
  entries_.push_back(entry);
  return true;
}

bool BerryReader::read_field(Entry& entry, const Key& field) {
  if (field.text == "version") {
    if (!yaml_.read(field.text, entry.version)) return false;
    entry.version_at = yaml_.scalar_at();
    return true;
  }
  if (field.text == "resolution") return yaml_.read(field.text, entry.resolution);
  if (field.text == "checksum") return yaml_.read(field.text, entry.checksum);
  if (field.text == "dependenciesMeta") return read_meta(field.text, optional_);
  if (field.text == "peerDependenciesMeta") return read_meta(field.text, optional_peers_);
  const std::optional<EdgeKind> kind = edge_kind_in_berry_lock(field.text);
  return kind ? read_requests(field.text, *kind) : yaml_.skip();
}

bool BerryReader::read_requests(std::string_view field, EdgeKind kind) {
  return yaml_.each(field, [&](const Key& name) {
    std::string_view range;
    if (!yaml_.read(name.text, range)) return false;
    requests_.push_back({name.text, range, kind});
    return true;
  });
}

bool BerryReader::read_meta(std::string_view field, std::vector<std::string_view>& optional) {
  return yaml_.each(field, [&](const Key& name) {
    return yaml_.each(name.text, [&](const Key& part) {
      bool value = false;
      if (part.text != "optional") return yaml_.skip();
      if (!yaml_.read(part.text, value)) return false;
      if (value) optional.push_back(name.text);
      return true;
    });
  });
}

void BerryReader::finish_requests(const Entry& entry) {
  std::sort(optional_.begin(), optional_.end());
  std::sort(optional_peers_.begin(), optional_peers_.end());
  for (std::size_t i = entry.first_request; i < entry.end_request; ++i) {
    Request& request = requests_[i];
    if (request.kind == EdgeKind::prod && contains(optional_, request.name)) {
      request.kind = EdgeKind::optional;
    } else if (request.kind == EdgeKind::peer && contains(optional_peers_, request.name)) {
      request.kind = EdgeKind::peer_optional;
    }
  }
}

// --- the graph ---

bool BerryReader::build() {
  builder_.reserve(entries_.size(), requests_.size());
  const auto is_root = [](const Entry& entry) {
    return source_of(parse_descriptor(entry.resolution).range) == Source::root;
  };
  const auto root = std::find_if(entries_.begin(), entries_.end(), is_root);
  std::rotate(entries_.begin(), root, root == entries_.end() ? root : root + 1);
  for (const Entry& entry : entries_) {
    if (!add_node(entry)) return false;
  }
  find_only_ones();
  for (NodeId id = 0; id < entries_.size(); ++id) add_edges(entries_[id], id);
  npm::mark_reach(builder_);
  return true;
}

bool BerryReader::add_node(const Entry& entry) {
  const YarnDescriptor resolution = parse_descriptor(entry.resolution);
  Node node;
  node.location = entry.key.text;
  node.name = resolution.name;
  node.version = entry.version;
  node.version_at = entry.version_at;
  node.resolved = entry.resolution;
  node.integrity = entry.checksum;
  node.source = source_of(devirtualized(resolution.range));
  node.entry = entry.span;
  const std::string_view asked = parse_descriptor(entry.key.text).name;
  if (asked != node.name) node.alias = asked;
  return add_descriptors(entry, builder_.add(node));
}

bool BerryReader::add_descriptors(const Entry& entry, NodeId id) {
  std::string_view rest = entry.key.text;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view text = trim(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    const YarnDescriptor descriptor = parse_descriptor(text);
    if (descriptor.name.empty()) {
      return yaml_.fail(LockError::Kind::shape, entry.key.begin,
                        "`" + json::excerpt(text) + "` names no package");
    }
    if (!descriptors_.add(text, id)) {
      return yaml_.fail(LockError::Kind::shape, entry.key.begin,
                        "`" + json::excerpt(text) + "` is there twice");
    }
    keys_.emplace_back(text, id);
    const std::size_t bound = text.find("::");
    if (bound != kNone) unbound_.add(text.substr(0, bound), id);
    if (descriptor.range.starts_with(kPatch)) add_patched(descriptor, id);
  }
  return true;
}

/// yarn puts patches of its own in the place of a few packages. Who asks for such a
/// package gets the patched one, without saying so.
void BerryReader::add_patched(const YarnDescriptor& descriptor, NodeId id) {
  const std::size_t hash = descriptor.range.find('#');
  if (hash == kNone || descriptor.range.find("builtin<", hash) == kNone) return;
  const std::string inner =
      yarn_decoded(descriptor.range.substr(kPatch.size(), hash - kPatch.size()));
  const YarnDescriptor base = parse_descriptor(inner);
  if (base.name != descriptor.name) return;
  std::string key(base.name);
  key += base.range.find(':') == kNone ? "@npm:" : "@";
  key += base.range;
  patched_.add(builder_.keep(std::move(key)), id);
}

/// What a catalog says is not in the lock. Where there is only one package of the name,
/// it is the one.
void BerryReader::find_only_ones() {
  for (const auto& [key, id] : keys_) {
    if (patched_.find(key) != kNoNode) continue;
    const std::string_view name = parse_descriptor(key).name;
    if (only_.add(name, id) || only_.find(name) == id) continue;
    several_.add(name, id);
  }
}

/// Until version 7 ranges of the registry stand without `npm:` where they are asked for.
NodeId BerryReader::find(std::string_view name, std::string_view range) {
  if (range.starts_with("catalog:")) {
    return several_.find(name) == kNoNode ? only_.find(name) : kNoNode;
  }
  const auto look = [&](std::string_view protocol) {
    probe_ = name;
    probe_ += '@';
    probe_ += protocol;
    probe_ += range;
    NodeId found = patched_.find(probe_);
    if (found == kNoNode) found = descriptors_.find(probe_);
    return found == kNoNode ? unbound_.find(probe_) : found;
  };
  const NodeId found = look("");
  if (found != kNoNode || range.find(':') != kNone) return found;
  return look("npm:");
}

void BerryReader::add_edges(const Entry& entry, NodeId id) {
  const Node& node = builder_.node(id);
  const bool importer = node.source == Source::root || node.source == Source::workspace;
  const std::string_view folder =
      importer ? parse_descriptor(entry.resolution).range.substr(kWorkspace.size()) : "";
  const Kinds kinds(importer ? manifest_at(manifests_, folder) : nullptr);
  for (std::size_t i = entry.first_request; i < entry.end_request; ++i) {
    const Request& request = requests_[i];
    Edge edge{id, kNoNode, request.name, request.range, request.kind};
    const bool peer = edge.kind == EdgeKind::peer || edge.kind == EdgeKind::peer_optional;
    if (!peer) {
      if (edge.kind == EdgeKind::prod) edge.kind = kinds.of(edge.name).value_or(EdgeKind::prod);
      const std::string* other =
          resolutions_.find(Resolutions::Parent::near, node.name, edge.name, edge.range);
      if (other != nullptr) edge.to = find(edge.name, *other);
      if (edge.to == kNoNode) edge.to = find(edge.name, edge.range);
    }
    builder_.add(edge);
  }
}

Result<Done, LockError> read_yarn_berry(GraphBuilder& builder,
                                        const std::vector<Manifest>& manifests) {
  BerryReader reader(builder, manifests);
  if (!reader.run()) return fail(reader.error());
  return Done{};
}

}  // namespace cg::lockfile
