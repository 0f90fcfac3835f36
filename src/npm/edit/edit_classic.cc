// Entries of yarn 1, written as yarn writes them.
#include <algorithm>

#include "base/base/text.h"
#include "base/json/json.h"
#include "npm/edit/blocks.h"

namespace cg::edit {

using npm::NodeId;

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// In quotes where yarn puts them.
std::string classic_word(std::string_view text) {
  const bool plain = !text.empty() && is_letter(text.front()) && !text.starts_with("true") &&
                     !text.starts_with("false") && text.find_first_of(": \t\r\n\\\",[]") == kNone;
  if (plain) return std::string(text);
  return json::write_json(json::Value(std::string(text)));
}

std::string header(const std::vector<std::string>& keys) {
  std::string out;
  for (const std::string& key : keys) {
    if (!out.empty()) out += ", ";
    out += classic_word(key);
  }
  out += ':';
  return out;
}

/// The smallest descriptor: yarn sorts them all before it merges.
std::string first_descriptor(std::string_view location) {
  std::vector<std::string_view> keys = split_descriptors(location);
  return std::string(*std::min_element(keys.begin(), keys.end()));
}

/// In the style of the old one: its host and path, the file of the release, and the
/// hash behind `#` if there was one.
Result<std::string, EditError> resolved_of(const npm::Node& node,
                                           const registry::Release& release) {
  const std::string_view old = node.resolved;
  const std::size_t dash = old.find("/-/");
  const std::size_t slash = release.tarball.rfind('/');
  if (dash == kNone || slash == kNone) {
    return fail(unsupported("`" + std::string(node.location) +
                            "`: where the registry keeps other versions does not follow from `" +
                            std::string(old) + "`"));
  }
  std::string out(old.substr(0, dash + 3));
  out += release.tarball.substr(slash + 1);
  if (old.find('#') != kNone && !release.shasum.empty()) out += "#" + release.shasum;
  return out;
}

class ClassicEntry {
 public:
  ClassicEntry(const FlatTree& tree, NodeId id, bool integrities)
      : tree_(tree),
        node_(tree.node(id)),
        id_(id),
        text_(tree.index().graph().text().substr(node_.entry.begin,
                                                 node_.entry.end - node_.entry.begin)),
        eol_(line_end(tree.index().graph().text())),
        integrities_(integrities) {}

  /// Only the first line.
  [[nodiscard]] std::string renamed(const std::vector<std::string>& keys) const {
    std::string out = header(keys);
    const std::size_t line = text_.find(eol_);
    if (line != kNone) out += text_.substr(line);
    return out;
  }

  /// Fields that we do not know stay.
  [[nodiscard]] Result<std::string, EditError> as(const registry::Release& release) const {
    std::string resolved;
    if (!node_.resolved.empty()) {
      CG_TRY_ASSIGN(resolved, resolved_of(node_, release));
    }
    const std::vector<std::string_view> lines = lines_of(text_);
    std::string out(lines.front());
    bool dropping = false;
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const std::string_view line = lines[i];
      const bool field = line.starts_with("  ") && !line.starts_with("   ");
      if (field) dropping = line == "  dependencies:" || line == "  optionalDependencies:";
      if (dropping) continue;
      if (field && line.starts_with("  integrity ")) continue;
      out += eol_;
      if (field && line.starts_with("  version ")) {
        out += "  version " + classic_word(release.version);
        if (resolved.empty()) out += integrity(release);
      } else if (field && line.starts_with("  resolved ")) {
        out += "  resolved " + classic_word(resolved) + integrity(release);
      } else {
        out += line;
      }
    }
    out += block("dependencies", npm::EdgeKind::prod);
    out += block("optionalDependencies", npm::EdgeKind::optional);
    return out;
  }

 private:
  [[nodiscard]] std::string integrity(const registry::Release& release) const {
    if (!integrities_ || release.integrity.empty()) return {};
    return std::string(eol_) + "  integrity " + classic_word(release.integrity);
  }

  [[nodiscard]] std::string block(std::string_view field, npm::EdgeKind kind) const {
    std::vector<FlatEdge> edges = tree_.edges_of(id_);
    std::sort(edges.begin(), edges.end(),
              [](const FlatEdge& a, const FlatEdge& b) { return a.name < b.name; });
    std::string out;
    for (const FlatEdge& edge : edges) {
      if (edge.kind != kind) continue;
      if (out.empty()) out = std::string(eol_) + "  " + std::string(field) + ":";
      out += std::string(eol_) + "    " + classic_word(edge.name) + " " + classic_word(edge.range);
    }
    return out;
  }

  const FlatTree& tree_;
  const npm::Node& node_;
  NodeId id_;
  std::string_view text_;
  std::string_view eol_;
  bool integrities_;
};

}  // namespace

Result<std::string, EditError> edit_classic(const FlatTree& tree) {
  const npm::Graph& graph = tree.index().graph();
  CG_TRY_ASSIGN(const YarnKeys keys, changed_keys(tree));
  const bool integrities =
      std::any_of(graph.nodes().begin(), graph.nodes().end(),
                  [](const npm::Node& node) { return !node.integrity.empty(); });
  YarnBlocks parts = yarn_blocks(tree, first_descriptor);
  for (std::size_t i = 0; i < parts.blocks.size(); ++i) {
    Block& block = parts.blocks[i];
    const NodeId id = parts.nodes[i];
    if (block.removed) continue;
    const ClassicEntry entry(tree, id, integrities);
    const registry::Release* release = tree.put(id);
    if (release != nullptr) {
      CG_TRY_ASSIGN(block.text, entry.as(*release));
    }
    const auto renamed = keys.find(id);
    if (renamed == keys.end()) continue;
    block.rekey = renamed->second.front();
    const std::string body = block.text ? *block.text : entry.renamed(renamed->second);
    const std::size_t line = std::min(body.find(line_end(graph.text())), body.size());
    block.text = header(renamed->second) + body.substr(line);
  }
  return with_blocks(graph.text(), parts.blocks);
}

}  // namespace cg::edit
