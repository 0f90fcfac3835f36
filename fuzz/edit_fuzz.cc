// A lock and a manifest of any text, edited: the answer is an error or reads back as the
// edit says.
#include <cstdint>
#include <string>

#include "base/base/assert.h"
#include "npm/edit/edit.h"
#include "npm/lockfile/lock.h"
#include "npm/npm/tree.h"

namespace {

using cg::edit::LockEdit;
using cg::npm::Graph;
using cg::npm::LockKind;
using cg::npm::Node;

bool is_copy(const Node& node) {
  return node.source == cg::npm::Source::registry && !cg::npm::folder_name(node.location).empty();
}

/// In turn: put, remove, reflag, add below.
LockEdit derive(const Graph& graph, const cg::registry::Release& release) {
  LockEdit edit;
  std::size_t turn = graph.text().size();
  for (const Node& node : graph.nodes()) {
    if (!is_copy(node)) continue;
    const std::string location(node.location);
    switch (turn++ % 5) {
      case 0:
        edit.put.push_back({location, &release, {.dev = true}});
        break;
      case 1:
        edit.removed.push_back(location);
        break;
      case 2:
        edit.reflagged.push_back({location, {.peer = true}});
        break;
      case 3:
        edit.put.push_back({location + "/node_modules/cg-added", &release, {}});
        break;
      default:
        break;
    }
  }
  return edit;
}

void check(const Graph& before, const LockEdit& edit, const std::string& text) {
  const auto after = cg::lockfile::read_package_lock(LockKind::package_lock, text, nullptr);
  CG_ASSERT(after.has_value());
  for (const std::string& location : edit.removed) {
    CG_ASSERT(after->at(location) == cg::npm::kNoNode);
  }
  std::size_t added = 0;
  for (const auto& put : edit.put) {
    if (before.at(put.location) == cg::npm::kNoNode) ++added;
    const cg::npm::NodeId id = after->at(put.location);
    CG_ASSERT(id != cg::npm::kNoNode && after->node(id).version == put.release->version);
  }
  CG_ASSERT(after->nodes().size() == before.nodes().size() + added - edit.removed.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const cg::edit::ManifestEdit rules{"package.json", {}, {{{"a", "b"}, "1"}, {{"c"}, "2"}}};
  const auto manifest = cg::edit::edit_manifest(text, rules);
  if (manifest) {
    CG_ASSERT(cg::edit::edit_manifest(*manifest, rules).has_value());
  } else {
    CG_ASSERT(!manifest.error().what.empty());
  }
  const auto graph = cg::lockfile::read_package_lock(LockKind::package_lock, text, nullptr);
  constexpr std::size_t kMany = 200;
  if (!graph || graph->nodes().size() > kMany) return 0;
  cg::registry::Release release;
  release.name = "cg-put";
  release.version = "9.9.9";
  release.integrity = "sha512-new";
  release.tarball = "http://127.0.0.1/cg-put/-/cg-put-9.9.9.tgz";
  release.needs = {{"x", "1", cg::npm::EdgeKind::prod}, {"y", "*", cg::npm::EdgeKind::peer}};
  const LockEdit edit = derive(*graph, release);
  const auto out = cg::edit::edit_package_lock(*graph, edit, "https://registry.example/");
  if (out) {
    check(*graph, edit, *out);
  } else {
    CG_ASSERT(!out.error().what.empty());
  }
  return 0;
}
