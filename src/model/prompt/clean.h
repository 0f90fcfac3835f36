// Cleaning: untrusted bytes as text that shows all of itself.
#pragma once

#include <string>
#include <string_view>

namespace cg::prompt {

/// Appends `bytes` to `out`, up to `cap` bytes of `out`, on a code point. What is not UTF-8
/// becomes U+FFFD; line ends become newlines; other controls but tab become visible escapes;
/// what is not to be seen (zero-width, bidi, tags, variation selectors, fillers) is left out.
/// False if not all fitted.
[[nodiscard]] bool append_clean(std::string& out, std::string_view bytes, std::size_t cap);

/// True if `text` holds `small`, which is in lower case, in any case.
[[nodiscard]] bool holds(std::string_view text, std::string_view small);
/// Where it does, else npos.
[[nodiscard]] std::size_t find_any_case(std::string_view text, std::string_view small);

}  // namespace cg::prompt
