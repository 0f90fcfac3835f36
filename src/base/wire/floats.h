// Floats as bytes, least significant first, and back.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cg::wire {

[[nodiscard]] std::string bytes_of_floats(std::span<const float> floats);
/// Nothing for a length that is none.
[[nodiscard]] std::vector<float> floats_of_bytes(std::string_view bytes);

}  // namespace cg::wire
