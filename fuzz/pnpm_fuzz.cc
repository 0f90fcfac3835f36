// A pnpm-lock.yaml that is read becomes a graph whose parts lie in its text.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/base/assert.h"
#include "graph_check.h"
#include "npm/lockfile/lock.h"

namespace {

using namespace cg::lockfile;

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
  const auto lock = read_pnpm_lock(std::string(text));
  if (lock) {
    check(*lock);
  } else {
    CG_ASSERT(lock.error().at.offset <= size);
    CG_ASSERT(lock.error().what.size() < 1000);
  }
  return 0;
}
