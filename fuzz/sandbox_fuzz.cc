// A frame of the sandbox that reads back is written again as the same bytes.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/base/assert.h"
#include "jail/sandbox/wire.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cg::sandbox;
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  while (bytes.size() >= kFrameHeader) {
    const auto header = read_header(bytes.substr(0, kFrameHeader));
    if (!header || header->size > bytes.size() - kFrameHeader) return 0;
    const auto message = read_fields(header->kind, bytes.substr(kFrameHeader, header->size));
    if (!message) return 0;
    CG_ASSERT(message->index() == header->kind);
    CG_ASSERT(write_frame(*message) == bytes.substr(0, kFrameHeader + header->size));
    bytes.remove_prefix(kFrameHeader + header->size);
  }
  return 0;
}
