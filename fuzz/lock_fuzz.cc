// package.json and package-lock.json: whatever is read holds together.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "lockfile/lock.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto manifest = cg::npm::parse_manifest("package.json", text);
  if (!manifest && manifest.error().what.empty()) std::abort();
  const auto graph = cg::lockfile::read_package_lock(cg::npm::LockKind::package_lock, text,
                                                     manifest ? &*manifest : nullptr);
  if (!graph) {
    if (graph.error().what.empty()) std::abort();
    return 0;
  }
  std::size_t edges = 0;
  for (cg::npm::NodeId id = 0; id < graph->nodes().size(); ++id) {
    const cg::npm::Node& node = graph->node(id);
    if (node.entry.begin > node.entry.end || node.entry.end > text.size()) std::abort();
    if (node.version_at.end > text.size()) std::abort();
    for (const cg::npm::Edge& edge : graph->edges_of(id)) {
      if (edge.from != id) std::abort();
      ++edges;
    }
  }
  if (edges != graph->edges().size() || graph->text() != text) std::abort();
  return 0;
}
