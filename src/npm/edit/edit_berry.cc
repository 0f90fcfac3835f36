// Entries of yarn 2 and later, written as yarn writes them.
//
// What yarn calls `checksum` is a hash of a zip that yarn makes itself, so it cannot be
// known here. A changed entry has none; yarn accepts that, also in an immutable install,
// and the next install that may write the lock fills it in.
#include <algorithm>

#include "base/base/text.h"
#include "base/json/json.h"
#include "npm/edit/blocks.h"

namespace cg::edit {

using npm::EdgeKind;
using npm::NodeId;

namespace {

constexpr std::size_t kLongKey = 1024;

/// In quotes unless it is a simple text of yarn's YAML.
std::string berry_word(std::string_view text) {
  constexpr std::string_view kFirst = "-?:,][{}#&*!|>'\"%@` \t\r\n";
  constexpr std::string_view kRest = ",][{}:#\t\r\n";
  const bool plain = !text.empty() && kFirst.find(text.front()) == kNone &&
                     text.find_first_of(kRest, 1) == kNone && !text.ends_with(' ');
  return plain ? std::string(text) : json::write_json(json::Value(std::string(text)));
}

std::string whole_key(std::string_view location) { return std::string(location); }

std::string joined(const std::vector<std::string>& keys) {
  std::string out;
  for (const std::string& key : keys) {
    if (!out.empty()) out += ", ";
    out += key;
  }
  return out;
}

/// A condition on where it is installed: "os=darwin & (cpu=x64 | cpu=arm64)".
std::string conditions(const registry::Release& release) {
  std::string out;
  const auto add = [&](std::string_view name, const std::vector<std::string>& values) {
    if (values.empty()) return;
    std::string part;
    for (const std::string& value : values) {
      if (!part.empty()) part += " | ";
      const bool negated = value.starts_with('!');
      if (negated) part += '!';
      part += std::string(name) + "=" + value.substr(negated ? 1 : 0);
    }
    if (!out.empty()) out += " & ";
    out += values.size() > 1 ? "(" + part + ")" : part;
  };
  add("os", release.os);
  add("cpu", release.cpu);
  add("libc", release.libc);
  return out;
}

class BerryEntry {
 public:
  BerryEntry(const FlatTree& tree, NodeId id)
      : tree_(tree),
        id_(id),
        whole_(tree.index().graph().text()),
        eol_(line_end(whole_)),
        at_(lines_at()) {}

  /// With the whole first line, which may begin before the key does.
  [[nodiscard]] npm::Span at() const { return at_; }

  [[nodiscard]] std::string header(const std::vector<std::string>& keys) const {
    const std::string key = berry_word(joined(keys));
    return key.size() > kLongKey ? "? " + key + std::string(eol_) + ":" : key + ":";
  }
  [[nodiscard]] std::string old_header() const { return std::string(text().substr(0, body_at())); }
  /// From the line end of the header on.
  [[nodiscard]] std::string body() const { return std::string(text().substr(body_at())); }

  [[nodiscard]] std::string body_as(const registry::Release& release, bool protocol) const {
    std::vector<std::pair<int, std::string>> fields = kept();
    const auto put = [&](int order, std::string text) {
      if (!text.empty()) fields.emplace_back(order, std::move(text));
    };
    put(0, line("  version: " + berry_word(release.version)));
    put(1, line("  resolution: " + berry_word(release.name + "@npm:" + release.version)));
    put(2, block("dependencies", {EdgeKind::prod, EdgeKind::optional}, protocol));
    put(3, block("peerDependencies", {EdgeKind::peer, EdgeKind::peer_optional}, false));
    put(4, meta("dependenciesMeta", EdgeKind::optional));
    put(5, meta("peerDependenciesMeta", EdgeKind::peer_optional));
    put(6, bin(release));
    const std::string where = conditions(release);
    if (!where.empty()) put(8, line("  conditions: " + berry_word(where)));
    std::stable_sort(fields.begin(), fields.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string out;
    for (const auto& [order, text] : fields) out += text;
    return out;
  }

 private:
  [[nodiscard]] npm::Span lines_at() const {
    const npm::Span entry = tree_.node(id_).entry;
    const std::size_t before = entry.begin == 0 ? kNone : whole_.rfind('\n', entry.begin - 1);
    return {before == kNone ? 0 : static_cast<std::uint32_t>(before + 1), entry.end};
  }
  [[nodiscard]] std::string_view text() const {
    return whole_.substr(at_.begin, at_.end - at_.begin);
  }
  [[nodiscard]] std::size_t body_at() const {
    return std::min(text().find(std::string(eol_) + "  "), text().size());
  }
  [[nodiscard]] std::string line(std::string_view text) const {
    return std::string(eol_) + std::string(text);
  }

  /// Fields that the release does not say: linkType, languageName, unknown ones.
  [[nodiscard]] std::vector<std::pair<int, std::string>> kept() const {
    constexpr std::string_view kReplaced[] = {
        "version",  "resolution", "dependencies", "peerDependencies",    "dependenciesMeta",
        "checksum", "bin",        "conditions",   "peerDependenciesMeta"};
    std::vector<std::pair<int, std::string>> out;
    bool keep = false;
    for (const std::string_view row : lines_of(text().substr(body_at()))) {
      const bool field = row.starts_with("  ") && !row.starts_with("   ");
      const std::string_view name = row.substr(0, row.find(':'));
      if (field) {
        keep = std::find(std::begin(kReplaced), std::end(kReplaced), name.substr(2)) ==
               std::end(kReplaced);
        if (keep) out.emplace_back(9, "");
      }
      if (keep) out.back().second += line(row);
    }
    return out;
  }

  [[nodiscard]] std::vector<FlatEdge> sorted_edges() const {
    std::vector<FlatEdge> edges = tree_.edges_of(id_);
    std::sort(edges.begin(), edges.end(),
              [](const FlatEdge& a, const FlatEdge& b) { return a.name < b.name; });
    return edges;
  }

  [[nodiscard]] std::string block(std::string_view field, std::initializer_list<EdgeKind> kinds,
                                  bool protocol) const {
    std::string out;
    for (const FlatEdge& edge : sorted_edges()) {
      if (std::find(kinds.begin(), kinds.end(), edge.kind) == kinds.end()) continue;
      if (out.empty()) out = line("  " + std::string(field) + ":");
      const bool bare = protocol && edge.range.find(':') == kNone;
      out += line("    " + berry_word(edge.name) + ": " +
                  berry_word((bare ? "npm:" : "") + std::string(edge.range)));
    }
    return out;
  }

  [[nodiscard]] std::string meta(std::string_view field, EdgeKind kind) const {
    std::string out;
    for (const FlatEdge& edge : sorted_edges()) {
      if (edge.kind != kind) continue;
      if (out.empty()) out = line("  " + std::string(field) + ":");
      out += line("    " + berry_word(edge.name) + ":") + line("      optional: true");
    }
    return out;
  }

  [[nodiscard]] std::string bin(const registry::Release& release) const {
    if (release.bin.empty()) return {};
    registry::Pairs commands = release.bin;
    std::sort(commands.begin(), commands.end());
    std::string out = line("  bin:");
    for (const auto& [command, path] : commands) {
      out += line("    " + berry_word(command) + ": " + berry_word(path));
    }
    return out;
  }

  const FlatTree& tree_;
  NodeId id_;
  std::string_view whole_;
  std::string_view eol_;
  npm::Span at_;
};

/// Since version 8 of the lock, ranges stand with `npm:` where they are asked for.
bool has_protocol(const npm::Graph& graph) {
  return std::any_of(graph.edges().begin(), graph.edges().end(), [](const npm::Edge& edge) {
    return edge.range.starts_with("npm:") && edge.range.find('@') == kNone;
  });
}

/// yarn installs its own patch of a few packages; which versions it patches is its own
/// knowledge.
Result<Done, EditError> check_patches(const FlatTree& tree) {
  const auto check = [&](NodeId id) -> Result<Done, EditError> {
    for (const NodeId other : tree.index().entries(tree.node(id).name)) {
      if (tree.node(other).resolved.find("@patch:") == kNone ||
          tree.node(other).version != tree.node(id).version) {
        continue;
      }
      return fail(
          EditError{EditError::Kind::unsupported,
                    printable("yarn patches `" + std::string(tree.node(id).location) + "`")});
    }
    return Done{};
  };
  for (NodeId id = 0; id < tree.index().graph().nodes().size(); ++id) {
    if (tree.put(id) != nullptr || tree.gone(id)) CG_TRY(check(id));
  }
  return Done{};
}

/// The entry of an importer has a copy of what its manifest asks for.
Result<std::string, EditError> asked(const std::string& body, const Ask& ask, bool protocol) {
  const std::string_view eol = line_end(body);
  const std::string start = std::string(eol) + "    " + berry_word(ask.name) + ": ";
  const std::size_t block = body.find(std::string(eol) + "  dependencies:");
  const std::size_t at = block == std::string::npos ? block : body.find(start, block);
  if (at == std::string::npos) {
    return fail(EditError{EditError::Kind::not_found,
                          printable("`" + ask.importer + "` has no line for `" + ask.name + "`")});
  }
  const std::size_t value = at + start.size();
  const std::size_t end = std::min(body.find(eol, value), body.size());
  const bool bare = protocol && ask.to.find(':') == std::string::npos;
  return body.substr(0, value) + berry_word((bare ? "npm:" : "") + ask.to) + body.substr(end);
}

}  // namespace

Result<std::string, EditError> edit_berry(const FlatTree& tree, const LockEdit& edit) {
  const npm::Graph& graph = tree.index().graph();
  CG_TRY(check_patches(tree));
  CG_TRY_ASSIGN(const YarnKeys keys, changed_keys(tree));
  const bool protocol = has_protocol(graph);
  YarnBlocks parts = yarn_blocks(tree, whole_key);
  for (std::size_t i = 0; i < parts.blocks.size(); ++i) {
    Block& block = parts.blocks[i];
    const NodeId id = parts.nodes[i];
    const BerryEntry entry(tree, id);
    block.at = entry.at();
    if (block.removed) continue;
    const registry::Release* release = tree.put(id);
    std::string body = release == nullptr ? entry.body() : entry.body_as(*release, protocol);
    for (const Ask& ask : edit.asks) {
      if (tree.index().importer(ask.importer) != id) continue;
      CG_TRY_ASSIGN(body, asked(body, ask, protocol));
    }
    const auto renamed = keys.find(id);
    if (renamed != keys.end()) block.rekey = joined(renamed->second);
    block.text =
        (renamed == keys.end() ? entry.old_header() : entry.header(renamed->second)) + body;
  }
  return with_blocks(graph.text(), parts.blocks);
}

}  // namespace cg::edit
