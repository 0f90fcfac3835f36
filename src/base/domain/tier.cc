#include "base/domain/tier.h"

namespace cg {

std::string_view name(Tier tier) {
  switch (tier) {
    case Tier::recipe:
      return "recipe";
    case Tier::rag:
      return "rag";
    case Tier::llm:
      break;
  }
  return "llm";
}

std::optional<Tier> parse_tier(std::string_view text) {
  for (const Tier tier : {Tier::recipe, Tier::rag, Tier::llm}) {
    if (name(tier) == text) return tier;
  }
  return std::nullopt;
}

}  // namespace cg
