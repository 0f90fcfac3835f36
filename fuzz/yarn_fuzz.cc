// A yarn.lock, of either kind, that is read becomes a graph whose parts lie in its text.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/assert.h"
#include "graph_check.h"
#include "npm/lockfile/lock.h"

namespace {

using namespace cg::lockfile;

const std::vector<Manifest>& manifests() {
  static const std::vector<Manifest> kManifests = [] {
    std::vector<Manifest> out;
    for (const std::string_view json :
         {R"({"name":"root","dependencies":{"a":"^1.0.0"},"devDependencies":{"b":"*"},
              "resolutions":{"a/c":"1.0.0","x/**/d":"2.0.0","e@npm:^1":"npm:1.5.0"}})",
          R"({"name":"w","version":"1.0.0","optionalDependencies":{"o":"1"}})"}) {
      auto manifest =
          cg::npm::parse_manifest(out.empty() ? "package.json" : "w/package.json", json);
      if (manifest) out.push_back(*std::move(manifest));
    }
    return out;
  }();
  return kManifests;
}

void check(const Graph& lock) {
  cg::fuzz::check_graph(lock);
  for (const Node& node : lock.nodes()) {
    const bool importer = node.source == Source::root || node.source == Source::workspace;
    CG_ASSERT(importer || !node.name.empty());
    if (node.version_at.end > 0) {
      CG_ASSERT(lock.text().substr(node.version_at.begin, node.version.size()) == node.version);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto lock = read_yarn_lock(std::string(text), manifests());
  if (lock) {
    check(*lock);
  } else {
    CG_ASSERT(lock.error().at.offset <= size);
    CG_ASSERT(lock.error().what.size() < 1000);
  }
  return 0;
}
