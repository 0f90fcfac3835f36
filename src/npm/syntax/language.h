// Which files can be parsed, and why one cannot.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace cg::syntax {

enum class Language { javascript, typescript, tsx };
/// By the ending of a path: .js .cjs .mjs .jsx, .ts .cts .mts, .tsx; nothing for others.
[[nodiscard]] std::optional<Language> language_of(std::string_view path);

inline constexpr std::size_t kMaxFileBytes = 2U << 20U;

enum class Error {
  too_large,
  not_utf8,
  too_deep,  // or too costly otherwise: no source that people write
};

}  // namespace cg::syntax
