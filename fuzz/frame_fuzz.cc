// A frame that reads back is written again as the same bytes.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/base/assert.h"
#include "fetch/net/frame.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cg::net;
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  while (bytes.size() >= kFrameHeader) {
    std::array<char, kFrameHeader> header{};
    std::memcpy(header.data(), bytes.data(), header.size());
    const auto parsed = parse_header(header);
    if (!parsed) return 0;
    CG_ASSERT(parsed->size < 3 << 20);
    if (parsed->size > bytes.size() - kFrameHeader) return 0;
    const auto message = parse_fields(parsed->kind, bytes.substr(kFrameHeader, parsed->size));
    if (!message) return 0;
    CG_ASSERT(kind_of(*message) == parsed->kind);
    CG_ASSERT(write_frame(*message) == bytes.substr(0, kFrameHeader + parsed->size));
    bytes.remove_prefix(kFrameHeader + parsed->size);
  }
  return 0;
}
