// What codegenie and codegenie-key say to each other, and the head before a key: whatever reads
// back is written again as the same bytes.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/base/assert.h"
#include "model/leaf/key_frame.h"
#include "model/leaf/key_order.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cg::leaf;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto head = parse_key_head(bytes)) {
    CG_ASSERT(write_key_head(head->source, head->key_size) == bytes);
  }
  if (bytes.size() < kKeyLengthBytes) return 0;
  const auto length = key_message_size(bytes.substr(0, kKeyLengthBytes));
  if (!length || *length != bytes.size() - kKeyLengthBytes) return 0;
  const std::string_view message = bytes.substr(kKeyLengthBytes);
  if (const auto order = parse_key_order(message)) CG_ASSERT(write_key_order(*order) == bytes);
  if (const auto answer = parse_key_answer(message)) CG_ASSERT(write_key_answer(*answer) == bytes);
  return 0;
}
