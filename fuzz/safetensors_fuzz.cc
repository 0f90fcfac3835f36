// Safetensors: what is accepted leaves no byte of the numbers to two tensors or to none, and each
// tensor can be read whole.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/base/assert.h"
#include "learn/tensor/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cg::tensor;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto file = Safetensors::parse(bytes);
  if (!file) {
    CG_ASSERT(!file.error().what.empty() && file.error().what.size() < 1000);
    return 0;
  }
  std::uint64_t header = 0;
  for (unsigned i = 0; i < 8; ++i) header |= std::uint64_t{data[i]} << (8 * i);
  std::vector<unsigned char> seen(size - 8 - static_cast<std::size_t>(header));
  const char* numbers = bytes.data() + bytes.size() - seen.size();
  for (const Tensor& tensor : file->all()) {
    CG_ASSERT(file->find(tensor.name) == &tensor);
    for (const char& byte : tensor.bytes)
      CG_ASSERT(seen.at(static_cast<std::size_t>(&byte - numbers))++ == 0);
    if (tensor.kind == Kind::other) continue;
    const auto same = file->need(tensor.name, tensor.shape);
    CG_ASSERT(same && *same == &tensor);
    std::vector<float> all(tensor.count());
    if (!widen_all(tensor, all)) continue;
    for (const float x : all) CG_ASSERT(x - x == 0);
    if (all.empty()) continue;
    float last = 0;
    widen(tensor, all.size() - 1, std::span(&last, 1));
    CG_ASSERT(std::memcmp(&last, &all.back(), sizeof last) == 0);
  }
  for (const unsigned char times : seen) CG_ASSERT(times == 1);
  return 0;
}
