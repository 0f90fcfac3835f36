// Tier: how far a fix may go for its plan.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cg {

/// Each includes those before it.
enum class Tier : std::uint8_t {
  recipe,  // rules alone: nobody is asked
  rag,     // what solved the like before
  llm,     // a model
};

/// "recipe"
[[nodiscard]] std::string_view name(Tier tier);
[[nodiscard]] std::optional<Tier> parse_tier(std::string_view text);

}  // namespace cg
