// pnpm-lock.yaml: keys renamed wherever they are referred to, entries written anew.
#include <algorithm>
#include <set>

#include "base/base/text.h"
#include "npm/edit/pnpm_entry.h"

namespace cg::edit {

using lockfile::Change;
using lockfile::PnpmFormat;
using npm::EdgeKind;
using npm::kNoNode;
using npm::NodeId;

namespace {

constexpr std::size_t kNoLine = PnpmText::kNoLine;

bool is_group(std::string_view field) {
  return field == "dependencies" || field == "devDependencies" || field == "optionalDependencies";
}

PnpmFormat format_of(std::string_view version) {
  if (version.starts_with('5')) return PnpmFormat::v5;
  return version.starts_with('6') ? PnpmFormat::v6 : PnpmFormat::v9;
}

class PnpmEditor {
 public:
  PnpmEditor(const FlatTree& tree, const LockEdit& edit, const PnpmText& text)
      : tree_(tree),
        edit_(edit),
        text_(text),
        names_(tree, format_of(tree.index().graph().lock_version())) {}

  Result<std::string, EditError> run() {
    if (text_.child(kNoLine, "time") != kNoLine) {
      return fail(unsupported("the lock says when each version was published"));
    }
    for (NodeId id = 0; id < tree_.index().graph().nodes().size(); ++id) {
      if (tree_.put(id) != nullptr) CG_TRY(check_peers(id));
    }
    CG_TRY(ask());
    refer();
    weaken();
    std::sort(changes_.begin(), changes_.end(),
              [](const Change& a, const Change& b) { return a.where.begin < b.where.begin; });
    return assemble();
  }

 private:
  // --- what cannot be done ---

  /// The versions of peers are part of other keys: changing one changes who knows which.
  Result<Done, EditError> check_peers(NodeId id) {
    const npm::Node& node = tree_.node(id);
    const npm::Graph& graph = tree_.index().graph();
    for (const std::uint32_t at : graph.edges_to(id)) {
      const npm::Edge& edge = graph.edges()[at];
      if (!npm::is_peer(edge.kind)) continue;
      return fail(unsupported(quoted(node.location) + " is a peer of " +
                              quoted(graph.node(edge.from).location)));
    }
    const std::string inside = "(" + std::string(node.name) + "@" + std::string(node.version);
    if (graph.text().find(inside + ")") != std::string_view::npos ||
        graph.text().find(inside + "(") != std::string_view::npos) {
      return fail(unsupported(quoted(node.location) + " is part of the keys of others, as a peer"));
    }
    for (const NodeId other : tree_.index().entries(node.name)) {
      if (other == id || lockfile::without_peers(tree_.node(other).location) != node.location) {
        continue;
      }
      return fail(unsupported(quoted(node.location) + " is there once more, with peers"));
    }
    if (tree_.stands_for(id) != id || tree_.gone(id)) return Done{};
    CG_TRY(check_own_peers(id));
    return check_transitive(id);
  }

  Result<Done, EditError> check_own_peers(NodeId id) {
    const auto before = tree_.index().graph().edges_of(id);
    for (const registry::Need& need : tree_.put(id)->needs) {
      if (!npm::is_peer(need.kind)) continue;
      const bool known = std::any_of(before.begin(), before.end(), [&](const npm::Edge& edge) {
        return npm::is_peer(edge.kind) && edge.name == need.name;
      });
      if (known) continue;
      return fail(unsupported(quoted(tree_.put(id)->name + " " + tree_.put(id)->version) +
                              " has a new peer, " + quoted(need.name)));
    }
    return Done{};
  }

  /// `transitivePeerDependencies` stay right if what has peers stays beneath it.
  Result<Done, EditError> check_transitive(NodeId id) {
    std::set<NodeId> before;
    std::set<NodeId> after;
    for (const npm::Edge& edge : tree_.index().graph().edges_of(id)) {
      if (edge.to != kNoNode) before.insert(tree_.stands_for(edge.to));
    }
    for (const FlatEdge& edge : tree_.edges_of(id)) {
      if (edge.to != kNoNode) after.insert(edge.to);
    }
    std::vector<NodeId> moved;
    std::set_symmetric_difference(before.begin(), before.end(), after.begin(), after.end(),
                                  std::back_inserter(moved));
    for (const NodeId other : moved) {
      if (!has_peers(other)) continue;
      return fail(unsupported(quoted(tree_.node(id).location) + " and " +
                              quoted(tree_.node(other).location) + ", which has peers"));
    }
    return Done{};
  }

  [[nodiscard]] bool has_peers(NodeId id) const {
    const auto edges = tree_.index().graph().edges_of(id);
    if (std::any_of(edges.begin(), edges.end(),
                    [](const npm::Edge& edge) { return npm::is_peer(edge.kind); })) {
      return true;
    }
    const std::size_t line = entry_line(id);
    return line != kNoLine && text_.child(line, "transitivePeerDependencies") != kNoLine;
  }

  [[nodiscard]] std::size_t entry_line(NodeId id) const {
    const char* section = names_.format() == PnpmFormat::v9 ? "snapshots" : "packages";
    const std::size_t top = text_.child(kNoLine, section);
    return top == kNoLine ? kNoLine : text_.child(top, tree_.node(id).location);
  }

  // --- importers ---

  [[nodiscard]] std::size_t importer_line(NodeId importer) const {
    const std::size_t all = text_.child(kNoLine, "importers");
    return all == kNoLine ? kNoLine : text_.child(all, tree_.node(importer).location);
  }

  void change(std::size_t line, const std::string& value) {
    if (text_.value(line) == value) return;
    changes_.push_back({text_.line(line).value_at, pnpm_scalar(value)});
  }

  Result<Done, EditError> ask() {
    for (const Ask& ask : edit_.asks) {
      const std::size_t line = importer_line(tree_.index().importer(ask.importer));
      const std::size_t specifier = specifier_line(line, ask.name);
      if (specifier == kNoLine) {
        return fail(EditError{
            EditError::Kind::not_found,
            printable(quoted(ask.importer) + " has no specifier for " + quoted(ask.name))});
      }
      change(specifier, ask.to);
    }
    return Done{};
  }

  /// Until v5 beside the dependencies, since then within them.
  [[nodiscard]] std::size_t specifier_line(std::size_t importer, std::string_view name) const {
    const std::size_t specifiers = text_.child(importer, "specifiers");
    if (specifiers != kNoLine) return text_.child(specifiers, name);
    for (const std::size_t group : text_.children(importer)) {
      if (!is_group(text_.line(group).key)) continue;
      const std::size_t dependency = text_.child(group, name);
      if (dependency != kNoLine) return text_.child(dependency, "specifier");
    }
    return kNoLine;
  }

  // --- references ---

  void refer() {
    for (const NodeId importer : tree_.index().graph().importers()) {
      const std::size_t line = importer_line(importer);
      const std::vector<FlatEdge> edges = tree_.edges_of(importer);
      refer_in(line, [&](std::string_view name, NodeId old) {
        const auto edge = std::find_if(edges.begin(), edges.end(), [&](const FlatEdge& candidate) {
          return candidate.name == name && candidate.to != kNoNode;
        });
        return edge == edges.end() ? old : edge->to;
      });
    }
    for (const char* section : {"packages", "snapshots"}) {
      const std::size_t top = text_.child(kNoLine, section);
      if (top == kNoLine) continue;
      for (const std::size_t entry : text_.children(top)) {
        refer_in(entry, [&](std::string_view, NodeId old) { return tree_.stands_for(old); });
      }
    }
  }

  /// Of an importer or an entry.
  template <class Target>
  void refer_in(std::size_t line, const Target& target) {
    for (const std::size_t group : text_.children(line)) {
      if (!is_group(text_.line(group).key)) continue;
      for (const std::size_t dependency : text_.children(group)) {
        const std::string& name = text_.line(dependency).key;
        const std::size_t version = text_.child(dependency, "version");
        const std::size_t at = version == kNoLine ? dependency : version;
        const NodeId old = names_.meant(name, text_.value(at));
        if (old == kNoNode) continue;
        const NodeId now = target(name, old);
        if (now != old || tree_.put(now) != nullptr) change(at, names_.reference(name, now));
      }
    }
  }

  // --- flags ---

  [[nodiscard]] std::string flag(NodeId id, std::string_view field) const {
    const std::size_t line = entry_line(id);
    const std::size_t at = line == kNoLine ? kNoLine : text_.child(line, field);
    return at == kNoLine || dropped_.count(at) > 0 ? "" : text_.value(at);
  }

  /// What is now also needed by others is no longer for development or optional alone.
  void weaken() {
    std::vector<FlatEdge> open = tree_.fresh();
    while (!open.empty()) {
      const FlatEdge edge = open.back();
      open.pop_back();
      const npm::Source from = tree_.node(edge.from).source;
      const bool importer = from == npm::Source::root || from == npm::Source::workspace;
      if (edge.to == kNoNode || importer) continue;
      bool weaker = false;
      if (flag(edge.to, "dev") != flag(edge.from, "dev")) weaker |= drop(edge.to, "dev");
      if (edge.kind != EdgeKind::optional && flag(edge.from, "optional").empty()) {
        weaker |= drop(edge.to, "optional");
      }
      if (!weaker) continue;
      for (const FlatEdge& next : tree_.edges_of(edge.to)) open.push_back(next);
    }
  }

  bool drop(NodeId id, std::string_view field) {
    const std::size_t line = entry_line(id);
    const std::size_t at = line == kNoLine ? kNoLine : text_.child(line, field);
    if (at == kNoLine || !dropped_.insert(at).second) return false;
    if (tree_.put(id) != nullptr) return true;
    const std::uint32_t end = text_.line(at).at.end;
    const std::vector<std::size_t> fields = text_.children(line);
    const std::size_t left = static_cast<std::size_t>(std::count_if(
        fields.begin(), fields.end(), [&](std::size_t i) { return dropped_.count(i) == 0; }));
    // From the end of what stands before it: that line's end goes with it.
    const std::uint32_t begin = text_.line(at - 1).at.end;
    changes_.push_back({{begin, end}, left == 0 ? " {}" : ""});
    return true;
  }

  // --- the text ---

  Result<std::string, EditError> assemble() {
    std::string out;
    std::uint32_t written = 0;
    for (const char* section : {"packages", "snapshots"}) {
      const std::size_t top = text_.child(kNoLine, section);
      if (top == kNoLine || text_.children(top).empty()) continue;
      CG_TRY_ASSIGN(const std::vector<Block> blocks, blocks_of(top));
      out += patched(text_.text(), {written, blocks.front().at.begin}, changes_);
      out += arrange(text_.text(), blocks);
      written = blocks.back().at.end;
    }
    const auto size = static_cast<std::uint32_t>(text_.text().size());
    return out + patched(text_.text(), {written, size}, changes_);
  }

  Result<std::vector<Block>, EditError> blocks_of(std::size_t section) {
    const bool facts = text_.line(section).key == "packages";
    std::vector<Block> out;
    for (const std::size_t line : text_.children(section)) {
      Block block;
      block.at = text_.whole(line);
      block.key = text_.line(line).key;
      const NodeId id = tree_.index().at(block.key);
      block.removed = id == kNoNode ? all_gone(block.key) : tree_.gone(id) && all_gone(block.key);
      if (!block.removed) {
        CG_TRY_ASSIGN(block.text, text_of(line, id, facts));
        if (id != kNoNode) block.rekey = names_.key(id);
      }
      out.push_back(std::move(block));
    }
    return out;
  }

  /// A package of v9 goes with the last of its snapshots.
  [[nodiscard]] bool all_gone(const std::string& key) const {
    const lockfile::PnpmKey parsed = lockfile::parse_pnpm_key(names_.format(), key);
    bool any = false;
    for (const NodeId id : tree_.index().entries(parsed.name)) {
      const std::string_view location = tree_.node(id).location;
      if (location != key && lockfile::without_peers(location) != key) continue;
      if (!tree_.gone(id)) return false;
      any = true;
    }
    return any;
  }

  Result<std::string, EditError> text_of(std::size_t line, NodeId id, bool facts) {
    if (id == kNoNode || tree_.put(id) == nullptr) {
      return patched(text_.text(), text_.whole(line), changes_);
    }
    const PnpmEntry entry(tree_, names_, text_, dropped_, id);
    return facts ? entry.package(line) : entry.snapshot(line);
  }

  const FlatTree& tree_;
  const LockEdit& edit_;
  const PnpmText& text_;
  PnpmNames names_;
  std::vector<Change> changes_;
  std::set<std::size_t> dropped_;  // lines of flags
};

}  // namespace

Result<std::string, EditError> edit_pnpm_lock(const npm::Graph& graph, const LockEdit& edit) {
  if (edit.empty()) return std::string(graph.text());
  const FlatIndex index(graph);
  FlatTree tree(index);
  CG_TRY(tree.apply(edit));
  CG_TRY(check_removed(tree, edit));
  std::uint32_t inside = 0;
  for (const npm::Node& node : graph.nodes()) inside = std::max(inside, node.entry.begin);
  CG_TRY_ASSIGN(const PnpmText text, PnpmText::read(graph.text(), inside));
  return PnpmEditor(tree, edit, text).run();
}

}  // namespace cg::edit
