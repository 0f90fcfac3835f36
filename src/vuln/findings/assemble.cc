#include "vuln/findings/assemble.h"

#include <algorithm>
#include <cstdint>

#include "base/json/parsing.h"
#include "vuln/findings/outlook.h"
#include "vuln/provenance/npm_adapter.h"

namespace cg::findings {

namespace {

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

/// Kept together while the findings of one tree are made.
struct View {
  const Tree& tree;
  const provenance::Paths& paths;
};

/// A package whose manifest the user writes; also one that a `file:` brings in.
bool is_own(const npm::Node& node) {
  return node.source == npm::Source::root || node.source == npm::Source::workspace ||
         node.source == npm::Source::directory;
}

void describe_copy(const View& view, npm::NodeId id, Finding& finding) {
  const npm::Graph& graph = view.tree.graph;
  const npm::Node& node = graph.node(id);
  finding.package = node.name;
  finding.version = node.version;
  finding.alias = node.alias;
  finding.lockfile = view.tree.lockfile;
  finding.location = node.location;
  finding.integrity = node.integrity;
  finding.dev = node.flags.dev;
  finding.optional = node.flags.optional;
  const auto way = view.paths.way(graph, id);
  finding.direct = way.size() >= 2 && is_own(graph.node(way[way.size() - 2]));
  for (std::size_t i = 1; i + 1 < way.size(); ++i) {
    finding.via.push_back(provenance::label(graph.node(way[i])));
  }
  finding.provenance = provenance::classify(
      {graph, view.paths, folder_of(view.tree.lockfile), view.tree.manifests}, id);
}

const npm::Manifest* root_of(const Tree& tree) {
  return tree.manifests.empty() ? nullptr : &tree.manifests.front();
}

/// Positions in the order of the text: each counts on from the one before.
void locate_all(const Tree& tree, const std::vector<Hit>& hits, std::vector<Finding>& findings,
                std::size_t first) {
  std::vector<std::size_t> order(hits.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto begin = [&](std::size_t i) { return tree.graph.node(hits[i].node).entry.begin; };
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return begin(a) < begin(b); });
  json::Position at;
  for (const std::size_t i : order) {
    at = json::locate(tree.graph.text(), begin(i), at);
    findings[first + i].at = at;
  }
}

}  // namespace

void describe_advisory(const Hit& hit, const Briefs& briefs, Finding& finding) {
  finding.advisory = hit.advisory;
  finding.severity.level = hit.level;
  finding.malware = hit.malware;
  finding.affected = hit.affected;
  finding.fixed_in = hit.fixed_in;
  const auto found = briefs.find(hit.advisory);
  if (found == briefs.end()) return;
  const advisory::Brief& brief = found->second;
  finding.aliases = brief.aliases;
  finding.summary = brief.summary;
  finding.severity = brief.severity;
  finding.modified = brief.modified;
  finding.cwes = brief.cwes;
  finding.references = brief.references;
}

void add_findings(const Tree& tree, const Matches& matches, const Briefs& briefs, Scan& scan) {
  if (!matches.hits.empty()) {
    const provenance::Paths paths(tree.graph);
    const View view{tree, paths};
    const std::size_t first = scan.findings.size();
    for (const Hit& hit : matches.hits) {
      Finding& finding = scan.findings.emplace_back();
      describe_advisory(hit, briefs, finding);
      describe_copy(view, hit.node, finding);
      finding.outlook = outlook_of(tree.graph, paths, hit, root_of(tree));
    }
    locate_all(tree, matches.hits, scan.findings, first);
  }
  for (const npm::NodeId id : matches.unreadable) {
    const npm::Node& node = tree.graph.node(id);
    scan.warnings.push_back(tree.lockfile + ": " + std::string(node.location) +
                            " has the version `" + std::string(node.version) +
                            "`, which is none: its advisories were not checked");
  }
}

LockFacts facts_of(const Tree& tree) {
  LockFacts facts;
  facts.path = tree.lockfile;
  facts.kind = name(tree.graph.kind());
  facts.version = tree.graph.lock_version();
  for (const npm::Node& node : tree.graph.nodes()) {
    if (!is_published(node)) continue;
    ++facts.packages;
    if (!node.flags.dev) ++facts.production;
  }
  return facts;
}

void add_components(const Tree& tree, Scan& scan) {
  const npm::Graph& graph = tree.graph;
  std::vector<std::size_t> number(graph.nodes().size(), SIZE_MAX);
  for (npm::NodeId id = 0; id < graph.nodes().size(); ++id) {
    const npm::Node& node = graph.node(id);
    if (!is_published(node)) continue;
    number[id] = scan.components.size();
    scan.components.push_back({std::string(node.name),
                               std::string(node.version),
                               std::string(node.integrity),
                               tree.lockfile,
                               std::string(node.location),
                               node.flags.dev,
                               node.flags.optional,
                               {}});
  }
  for (npm::NodeId id = 0; id < graph.nodes().size(); ++id) {
    if (number[id] == SIZE_MAX) continue;
    for (const npm::Edge& edge : graph.edges_of(id)) {
      if (edge.to != npm::kNoNode && number[edge.to] != SIZE_MAX) {
        scan.components[number[id]].depends_on.push_back(number[edge.to]);
      }
    }
  }
}

}  // namespace cg::findings
