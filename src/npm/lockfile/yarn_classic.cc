// yarn.lock of yarn 1: its own format, two spaces for each level.
//
//   "name@^1.0.0", name@^1.1.0:
//     version "1.1.2"
//     dependencies:
//       other "^2.0.0"
#include <algorithm>
#include <array>
#include <optional>

#include "base/base/text.h"
#include "base/json/json.h"
#include "base/json/parsing.h"
#include "base/yaml/scanner.h"
#include "npm/lockfile/yarn_parts.h"
#include "npm/npm/key_index.h"
#include "npm/npm/reach.h"
#include "npm/npm/spec.h"

namespace cg::lockfile {

namespace {

constexpr std::string_view kBanner = "# yarn lockfile v";

std::optional<EdgeKind> edge_kind_in_classic_lock(std::string_view field) {
  if (field == "dependencies") return EdgeKind::prod;
  if (field == "optionalDependencies") return EdgeKind::optional;
  return std::nullopt;
}

/// A word of a line, with its place.
struct Token {
  std::string_view text;
  Span at;  // without quotes
  bool in_text = true;
};

class ClassicReader {
 public:
  ClassicReader(GraphBuilder& builder, const std::vector<Manifest>& manifests)
      : builder_(builder),
        text_(builder.text()),
        manifests_(manifests),
        resolutions_(manifests),
        descriptors_(text_.size() / 256),
        workspaces_(manifests.size()) {}

  bool run() {
    if (!check()) return false;
    add_importers();
    while (next_line()) {
      if (indent_ != 0) return wrong("an indented line that belongs to nothing");
      if (!read_entry()) return false;
    }
    if (error_) return false;
    resolve();
    npm::mark_reach(builder_);
    return true;
  }

  [[nodiscard]] LockError error() const { return *error_; }

 private:
  bool fail_at(LockError::Kind kind, std::size_t at, std::string what) {
    if (!error_) error_ = LockError{kind, json::locate(text_, at), std::move(what)};
    return false;
  }
  bool wrong(std::string what) { return fail_at(LockError::Kind::syntax, pos_, std::move(what)); }

  /// Encoding, and the version that the banner at the top names.
  bool check() {
    auto checked = json::check_text(text_, {.max_bytes = kMaxLockBytes});
    if (checked) checked = yaml::check_yaml_characters(text_);
    if (!checked) {
      error_ = LockError{LockError::Kind::syntax, checked.error().at,
                         json::describe_what(checked.error())};
      return false;
    }
    builder_.set_lock_version("1");
    const std::string_view top = text_.substr(0, text_.find("\n\n"));
    const std::size_t banner = top.find(kBanner);
    if (banner == std::string_view::npos) return true;
    const std::string_view rest = trim(top.substr(banner + kBanner.size()));
    const std::string_view version = rest.substr(0, rest.find_first_of("\r\n"));
    if (version == "1") return true;
    return fail_at(LockError::Kind::version, banner,
                   "yarn lockfile v" + json::excerpt(version) + " is not read: v1 is");
  }

  // --- lines and words ---

  /// To the first word of the next line that has one. False at the end.
  bool next_line() {
    for (; line_ < text_.size(); line_ = end_ + 1) {
      end_ = std::min(text_.find('\n', line_), text_.size());
      pos_ = std::min(text_.find_first_not_of(' ', line_), text_.size());
      const std::size_t break_ = end_;
      if (end_ > line_ && text_[end_ - 1] == '\r') --end_;
      const bool blank = pos_ >= end_ || text_[pos_] == '#';
      indent_ = pos_ - line_;
      if (!blank) {
        line_ = break_ + 1;
        return true;
      }
      end_ = break_;
    }
    return false;
  }

  /// The same, if the line is indented by `indent`; otherwise it stays unread.
  bool next_line(std::size_t indent) {
    const std::array saved = {line_, pos_, end_, indent_};
    if (next_line() && indent_ >= indent) return true;
    line_ = saved[0];
    pos_ = saved[1];
    end_ = saved[2];
    indent_ = saved[3];
    return false;
  }

  [[nodiscard]] char peek() const { return pos_ < end_ ? text_[pos_] : '\0'; }

  bool read_token(Token& out) {
    if (peek() == '"') return read_quoted(out);
    const std::size_t begin = pos_;
    const std::size_t stop = text_.find_first_of(" ,:\"\t", begin);
    pos_ = std::min(stop, end_);
    if (pos_ == begin) return wrong("expected a word");
    out = token(begin, pos_);
    return true;
  }

  bool read_quoted(Token& out) {
    const std::size_t begin = pos_;
    std::size_t close = begin + 1;
    bool escaped = false;
    for (; close < end_ && text_[close] != '"'; ++close) {
      if (text_[close] != '\\') continue;
      escaped = true;
      ++close;
    }
    if (close >= end_) return wrong("a quote that is never closed");
    pos_ = close + 1;
    out = token(begin + 1, close);
    if (!escaped) return true;
    const auto decoded = json::parse_json(text_.substr(begin, pos_ - begin));
    const std::string* text = decoded ? decoded->as_string() : nullptr;
    if (text == nullptr) return wrong("a bad escape");
    out.text = builder_.keep(*text);
    out.in_text = false;
    return true;
  }

  [[nodiscard]] Token token(std::size_t begin, std::size_t end) const {
    return {text_.substr(begin, end - begin),
            {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}};
  }

  /// The word behind a space, and then the end of the line.
  bool read_value(Token& out) {
    if (peek() == ':') {
      return fail_at(LockError::Kind::version, pos_,
                     "neither a lock of yarn 1 nor one of a later yarn, which has __metadata");
    }
    if (peek() != ' ') return wrong("expected a space");
    ++pos_;
    if (!read_token(out)) return false;
    return pos_ == end_ || wrong("text where the line should end");
  }

  /// The colon that ends a line.
  [[nodiscard]] bool at_colon() const { return peek() == ':' && pos_ + 1 == end_; }

  // --- entries ---

  void add_importers() {
    for (const Manifest& manifest : manifests_) {
      Node node;
      node.location = builder_.keep(std::string(manifest.folder()));
      node.name = builder_.keep(manifest.name);
      node.version = builder_.keep(manifest.version);
      node.source = builder_.size() == 0 ? Source::root : Source::workspace;
      const NodeId id = builder_.add(node);
      if (!node.name.empty()) workspaces_.add(node.name, id);
    }
  }

  bool read_entry() {
    Node node;
    const std::size_t begin = pos_;
    const auto id = static_cast<NodeId>(builder_.size());
    if (!read_keys(id, node)) return false;
    has_version_ = has_resolved_ = has_integrity_ = false;
    while (next_line(1)) {
      if (indent_ != 2) return wrong("expected two spaces of indentation");
      if (!read_field(id, node)) return false;
    }
    if (error_) return false;
    node.entry = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end_)};
    classify(node);
    builder_.add(node);
    return true;
  }

  bool read_keys(NodeId id, Node& node) {
    const std::size_t begin = pos_;
    std::size_t count = 0;
    std::string joined;
    Token key;
    for (;; ++count) {
      if (!read_token(key)) return false;
      const YarnDescriptor descriptor = parse_descriptor(key.text);
      if (descriptor.name.empty()) {
        return fail_at(LockError::Kind::shape, key.at.begin,
                       "`" + json::excerpt(key.text) + "` names no package");
      }
      if (!descriptors_.add(key.text, id)) {
        return fail_at(LockError::Kind::syntax, key.at.begin,
                       "duplicate key `" + json::excerpt(key.text) + "`");
      }
      name_node(node, descriptor);
      if (count > 0) joined += ", ";
      joined += key.text;
      if (at_colon()) break;
      if (peek() != ',') return wrong("expected `,` or `:` behind a key");
      ++pos_;
      while (peek() == ' ') ++pos_;
    }
    const std::string_view written = text_.substr(begin, pos_ - begin);
    node.location = written == joined ? written : count == 0 ? key.text : builder_.keep(joined);
    return true;
  }

  /// The real name is the one behind an alias, whichever key has it.
  static void name_node(Node& node, const YarnDescriptor& descriptor) {
    const std::string_view real = aliased_name(descriptor.range);
    if (!real.empty() && real != descriptor.name) {
      node.name = real;
      node.alias = descriptor.name;
    } else if (node.alias.empty()) {
      node.name = descriptor.name;
    }
  }

  bool read_field(NodeId id, Node& node) {
    Token field;
    if (!read_token(field)) return false;
    if (at_colon()) return read_block(id, field.text);
    Token value;
    if (!read_value(value)) return false;
    if (field.text == "version") {
      node.version = value.text;
      if (value.in_text) node.version_at = value.at;
      return once(has_version_, field);
    }
    if (field.text == "resolved") {
      node.resolved = value.text;
      return once(has_resolved_, field);
    }
    if (field.text == "integrity") {
      node.integrity = value.text;
      return once(has_integrity_, field);
    }
    return true;
  }

  bool once(bool& seen, const Token& field) {
    if (!std::exchange(seen, true)) return true;
    return fail_at(LockError::Kind::syntax, field.at.begin,
                   "duplicate key `" + json::excerpt(field.text) + "`");
  }

  bool read_block(NodeId id, std::string_view field) {
    const std::optional<EdgeKind> kind = edge_kind_in_classic_lock(field);
    while (next_line(3)) {
      if (indent_ != 4) return wrong("expected four spaces of indentation");
      Token name;
      Token range;
      if (!read_token(name) || !read_value(range)) return false;
      if (kind) builder_.add(Edge{id, kNoNode, name.text, range.text, *kind});
    }
    return !error_;
  }

  /// Without `resolved` the key tells.
  static void classify(Node& node) {
    const std::string_view key = node.location.substr(0, node.location.find(", "));
    const std::string_view range = parse_descriptor(key).range;
    if (range.starts_with("link:")) {
      node.source = Source::link;
      return;
    }
    if (!node.resolved.empty()) node.source = npm::source_of_resolved(node.resolved, node.name);
    if (node.source == Source::registry && !node.resolved.empty()) return;
    switch (npm::parse_spec(range).kind) {
      case npm::Spec::Kind::git:
        node.source = Source::git;
        break;
      case npm::Spec::Kind::directory:
        node.source = Source::directory;
        break;
      case npm::Spec::Kind::tarball:
        node.source = Source::tarball;
        break;
      case npm::Spec::Kind::range:
      case npm::Spec::Kind::tag:
      case npm::Spec::Kind::alias:
      case npm::Spec::Kind::workspace:
        break;
    }
  }

  // --- edges ---

  NodeId find(std::string_view name, std::string_view range) {
    probe_ = name;
    probe_ += '@';
    probe_ += range;
    return descriptors_.find(probe_);
  }

  NodeId find_instead(Resolutions::Parent distance, const Edge& edge) {
    const std::string_view parent = builder_.node(edge.from).name;
    const std::string* range = resolutions_.find(distance, parent, edge.name, edge.range);
    return range == nullptr ? kNoNode : find(edge.name, *range);
  }

  /// A workspace is not in the lock, so what the lock lacks may be one.
  NodeId target_of(const Edge& edge) {
    NodeId to = find_instead(Resolutions::Parent::near, edge);
    if (to == kNoNode) to = find(edge.name, edge.range);
    if (to == kNoNode) to = find_instead(Resolutions::Parent::far, edge);
    if (to != kNoNode || edge.from >= manifests_.size()) return to;
    return workspaces_.find(edge.name);
  }

  /// Peers of the repository's own packages are for others to install.
  void resolve() {
    for (NodeId id = 0; id < manifests_.size(); ++id) {
      for (const Dependency& dependency : manifests_[id].dependencies) {
        builder_.add(Edge{id, kNoNode, builder_.keep(dependency.name),
                          builder_.keep(dependency.spec), dependency.kind});
      }
    }
    for (Edge& edge : builder_.edges()) {
      const bool peer = edge.kind == EdgeKind::peer || edge.kind == EdgeKind::peer_optional;
      if (!peer) edge.to = target_of(edge);
    }
  }

  GraphBuilder& builder_;
  std::string_view text_;
  const std::vector<Manifest>& manifests_;
  Resolutions resolutions_;
  npm::KeyIndex descriptors_;
  npm::KeyIndex workspaces_;  // by name
  std::size_t line_ = 0;      // the next one
  std::size_t pos_ = 0;
  std::size_t end_ = 0;  // of the line that pos_ is in
  std::size_t indent_ = 0;
  bool has_version_ = false;
  bool has_resolved_ = false;
  bool has_integrity_ = false;
  std::string probe_;
  std::optional<LockError> error_;
};

}  // namespace

Result<Done, LockError> read_yarn_classic(GraphBuilder& builder,
                                          const std::vector<Manifest>& manifests) {
  ClassicReader reader(builder, manifests);
  if (!reader.run()) return fail(reader.error());
  return Done{};
}

}  // namespace cg::lockfile
