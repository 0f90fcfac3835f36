// The fence: whatever the payload, the content stays inside it.
#include <algorithm>
#include <cstdlib>

#include "fence_check.h"

/// Patterns are compiled once, which takes a sanitized build longer than a payload may.
extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  static_cast<void>(cg::canary::scan("warm", cg::SourceKind::repo_readme));
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size < 17) return 0;
  std::array<cg::Byte, 16> random{};
  std::copy_n(data, random.size(), random.begin());
  const auto nonce = cg::prompt::Nonce::from(random);
  const cg::SourceKind kind = cg::kSourceKinds[data[16] % cg::kSourceKinds.size()];
  std::string payload(reinterpret_cast<const char*>(data + 17), size - 17);
  // A lone \1 stands for the nonce, which no mutation would find.
  for (std::size_t at = payload.find('\1'); at != payload.npos; at = payload.find('\1', at + 32)) {
    payload.replace(at, 1, nonce.hex());
    if (payload.size() > (1U << 20U)) break;
  }
  const auto fenced = cg::prompt::fence(payload, kind, nonce);
  if (!cg::prompt::fault_of(fenced, payload, kind, nonce).empty()) std::abort();
  return 0;
}
