#include "learn/retrieve/products.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cg::retrieve {

namespace {

void portable(const std::int8_t* asked, const std::uint8_t* rows, std::size_t width,
              std::span<std::int32_t> out) {
  for (std::int32_t& sum : out) {
    sum = 0;
    for (std::size_t k = 0; k < width; ++k) sum += std::int32_t{asked[k]} * std::int32_t{rows[k]};
    rows += width;
  }
}

#if defined(__x86_64__)

// vpmaddubsw would be shorter, but its sums of two products do not fit 16 bits.
__attribute__((target("avx2"))) void avx2(const std::int8_t* asked, const std::uint8_t* rows,
                                          std::size_t width, std::span<std::int32_t> out) {
  for (std::int32_t& sum : out) {
    __m256i left = _mm256_setzero_si256();
    __m256i right = left;
    for (std::size_t k = 0; k < width; k += 32) {
      const auto* a = reinterpret_cast<const __m128i*>(asked + k);
      const auto* r = reinterpret_cast<const __m128i*>(rows + k);
      left = _mm256_add_epi32(left, _mm256_madd_epi16(_mm256_cvtepi8_epi16(_mm_loadu_si128(a)),
                                                      _mm256_cvtepu8_epi16(_mm_loadu_si128(r))));
      right =
          _mm256_add_epi32(right, _mm256_madd_epi16(_mm256_cvtepi8_epi16(_mm_loadu_si128(a + 1)),
                                                    _mm256_cvtepu8_epi16(_mm_loadu_si128(r + 1))));
    }
    left = _mm256_add_epi32(left, right);
    __m128i four = _mm_add_epi32(_mm256_castsi256_si128(left), _mm256_extracti128_si256(left, 1));
    four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4E));
    four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0xB1));
    sum = _mm_cvtsi128_si32(four);
    rows += width;
  }
}

__attribute__((target("avx512f,avx512bw,avx512vnni"))) void avx512vnni(
    const std::int8_t* asked, const std::uint8_t* rows, std::size_t width,
    std::span<std::int32_t> out) {
  for (std::int32_t& sum : out) {
    __m512i left = _mm512_setzero_si512();
    __m512i right = left;
    std::size_t k = 0;
    for (; k + 128 <= width; k += 128) {
      left = _mm512_dpbusd_epi32(left, _mm512_loadu_si512(rows + k), _mm512_loadu_si512(asked + k));
      right = _mm512_dpbusd_epi32(right, _mm512_loadu_si512(rows + k + 64),
                                  _mm512_loadu_si512(asked + k + 64));
    }
    if (k < width) {
      left = _mm512_dpbusd_epi32(left, _mm512_loadu_si512(rows + k), _mm512_loadu_si512(asked + k));
    }
    left = _mm512_add_epi32(left, right);
    alignas(64) std::int32_t lanes[16];
    _mm512_store_si512(lanes, left);
    // Adding up in registers: the intrinsic for it warns in GCC 12.
    __m256i eight =
        _mm256_add_epi32(_mm256_load_si256(reinterpret_cast<const __m256i*>(lanes)),
                         _mm256_load_si256(reinterpret_cast<const __m256i*>(lanes + 8)));
    __m128i four = _mm_add_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256(eight, 1));
    four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4E));
    four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0xB1));
    sum = _mm_cvtsi128_si32(four);
    rows += width;
  }
}

#endif

}  // namespace

std::vector<Way> ways() {
  std::vector<Way> out;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vnni")) {
    out.push_back({"avx512vnni", avx512vnni});
  }
  if (__builtin_cpu_supports("avx2")) out.push_back({"avx2", avx2});
#endif
  out.push_back({"portable", portable});
  return out;
}

}  // namespace cg::retrieve
