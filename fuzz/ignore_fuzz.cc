// Ignore files, policies and baselines.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "scan/ignore.h"
#include "scan/select.h"
#include "workspace/policy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto ignores = cg::scan::parse_ignores("f", text, cg::Time{}, 180);
  if (!ignores && ignores.error().what.empty()) std::abort();
  if (ignores) {
    for (const cg::scan::Ignore& ignore : *ignores) {
      if (ignore.reason.empty() || ignore.owner.empty() || ignore.expires.empty()) std::abort();
    }
  }
  const auto policy = cg::workspace::parse_layer(text);
  if (policy) {
    const cg::workspace::Policy both = cg::workspace::stricter({}, *policy);
    if (both.index_max_age_days > cg::workspace::Policy{}.index_max_age_days) std::abort();
  }
  static_cast<void>(cg::scan::read_baseline(text));
  return 0;
}
