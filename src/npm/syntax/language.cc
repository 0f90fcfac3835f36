#include "npm/syntax/language.h"

#include <algorithm>
#include <initializer_list>

namespace cg::syntax {

std::optional<Language> language_of(std::string_view path) {
  const auto ends = [&](std::initializer_list<std::string_view> endings) {
    return std::any_of(endings.begin(), endings.end(),
                       [&](std::string_view ending) { return path.ends_with(ending); });
  };
  if (ends({".js", ".cjs", ".mjs", ".jsx"})) return Language::javascript;
  if (ends({".ts", ".cts", ".mts"})) return Language::typescript;
  if (ends({".tsx"})) return Language::tsx;
  return std::nullopt;
}

}  // namespace cg::syntax
