#include "npm/lockfile/lint.h"

#include <algorithm>

#include "base/base/text.h"
#include "npm/npm/spec.h"
#include "npm/npm/url.h"

namespace cg::lockfile {

namespace {

using npm::Spec;

/// Everybody who asks wants a version of the package, and nobody an address.
bool is_asked_by_version(const npm::Graph& graph, npm::NodeId id) {
  const auto edges = graph.edges_to(id);
  return !edges.empty() && std::all_of(edges.begin(), edges.end(), [&](std::uint32_t i) {
    Spec spec = npm::parse_spec(graph.edges()[i].range);
    if (spec.kind == Spec::Kind::alias) spec = npm::parse_spec(spec.rest);
    return spec.kind == Spec::Kind::range || spec.kind == Spec::Kind::tag;
  });
}

bool is_plain_http(std::string_view url) { return npm::is_http(url) && !npm::is_loopback(url); }

}  // namespace

Lint lint(const npm::Graph& graph) {
  Lint out;
  std::size_t http = 0;
  std::size_t bare = 0;
  for (npm::NodeId id = 0; id < graph.nodes().size(); ++id) {
    const npm::Node& node = graph.node(id);
    if (node.flags.bundled || node.resolved.empty()) continue;
    if (node.source != npm::Source::registry && node.source != npm::Source::tarball) continue;
    const bool open = is_plain_http(node.resolved) && node.integrity.empty();
    const bool elsewhere = node.source == npm::Source::tarball && is_asked_by_version(graph, id);
    if (open || elsewhere) {
      out.lies.push_back(
          {std::string(node.location),
           "comes from " + printable(cut_utf8(node.resolved, 120)) +
               (elsewhere ? ", though a version of " + printable(node.name) + " was asked for"
                          : " without integrity: anybody on the way can change it")});
      continue;
    }
    if (is_plain_http(node.resolved)) ++http;
    if (node.integrity.empty()) ++bare;
  }
  if (http > 0)
    out.weak.push_back(counted(http, "entry is", "entries are") + " fetched over plain http");
  if (bare > 0) out.weak.push_back(counted(bare, "entry has", "entries have") + " no integrity");
  return out;
}

}  // namespace cg::lockfile
