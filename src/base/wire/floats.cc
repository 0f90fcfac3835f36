#include "base/wire/floats.h"

#include <bit>

#include "base/wire/number.h"

namespace cg::wire {

std::string bytes_of_floats(std::span<const float> floats) {
  std::string out;
  out.reserve(4 * floats.size());
  for (const float value : floats) put_little_endian(out, std::bit_cast<std::uint32_t>(value), 4);
  return out;
}

std::vector<float> floats_of_bytes(std::string_view bytes) {
  std::vector<float> out;
  if (bytes.size() % 4 != 0) return out;
  out.reserve(bytes.size() / 4);
  for (std::size_t i = 0; i < bytes.size(); i += 4) {
    const auto bits = static_cast<std::uint32_t>(little_endian(bytes.substr(i, 4)));
    out.push_back(std::bit_cast<float>(bits));
  }
  return out;
}

}  // namespace cg::wire
