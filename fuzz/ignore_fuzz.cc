// Ignore files, policies and baselines.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "flow/workspace/policy.h"
#include "vuln/findings/ignore.h"
#include "vuln/findings/select.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto ignores = cg::findings::parse_ignores("f", text, cg::Time{}, 180);
  if (!ignores && ignores.error().what.empty()) std::abort();
  if (ignores) {
    for (const cg::findings::Ignore& ignore : *ignores) {
      if (ignore.reason.empty() || ignore.owner.empty() || ignore.expires.empty()) std::abort();
    }
  }
  if (const auto layer = cg::workspace::parse_layer(text)) {
    const cg::workspace::Policy both = cg::workspace::tightened({}, *layer);
    if (both.index_max_age_days > cg::workspace::Policy{}.index_max_age_days) std::abort();
    if (!both.run_scripts.empty() || both.model || !both.prices.empty()) std::abort();
  }
  static_cast<void>(cg::findings::read_baseline(text));
  return 0;
}
