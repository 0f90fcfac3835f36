// Looking at sixteen bytes of text at once, where the machine can.
#pragma once

#include <cstddef>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace cg::json {

#if defined(__SSE2__)
inline constexpr std::ptrdiff_t kWide = sizeof(__m128i);

[[nodiscard]] inline __m128i load_wide(const char* from) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
}
#endif

/// The first byte from `at` on that is not ASCII; `end` if there is none.
[[nodiscard]] inline const char* find_non_ascii(const char* at, const char* end) {
#if defined(__SSE2__)
  while (end - at >= 4 * kWide) {
    const __m128i all =
        _mm_or_si128(_mm_or_si128(load_wide(at), load_wide(at + kWide)),
                     _mm_or_si128(load_wide(at + 2 * kWide), load_wide(at + 3 * kWide)));
    if (_mm_movemask_epi8(all) != 0) break;
    at += 4 * kWide;
  }
#endif
  while (at < end && static_cast<unsigned char>(*at) < 0x80U) ++at;
  return at;
}

}  // namespace cg::json
