// package.json and package-lock.json: whatever is read holds together.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "graph_check.h"
#include "npm/lockfile/lock.h"

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
  cg::fuzz::check_graph(*graph);
  if (graph->text() != text) std::abort();
  return 0;
}
