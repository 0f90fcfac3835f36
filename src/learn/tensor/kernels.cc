#include "learn/tensor/kernels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/base/assert.h"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#if defined(__clang__)
#define CG_UNROLL _Pragma("unroll")
#else
#define CG_UNROLL _Pragma("GCC unroll 8")
#endif

namespace cg::tensor {

namespace {

using Ints4 = std::int32_t __attribute__((vector_size(16)));

/// What makes whole numbers up to 127 of floats up to `most`. Smaller ones than a float can be
/// divided by are zeros.
inline float factor_of(float most) { return most > 1e-36F ? 127.0F / most : 0.0F; }

/// Two whole numbers of 16 bits in each 32.
inline Ints4 dot_plain(Ints4 sum, std::int32_t a, Ints4 b) {
#if defined(__SSE2__)
  return sum +
         reinterpret_cast<Ints4>(_mm_madd_epi16(_mm_set1_epi32(a), reinterpret_cast<__m128i>(b)));
#else
  const std::int32_t low = static_cast<std::int16_t>(a & 0xFFFF);
  const std::int32_t high = a >> 16;
  return sum + ((b << 16) >> 16) * low + (b >> 16) * high;
#endif
}

}  // namespace

}  // namespace cg::tensor

#define CG_LEVEL plain
#define CG_TARGET
#define CG_TARGET8
#define CG_WIDTH 4
#define CG_ROWS 4
#define CG_FLOATS float __attribute__((vector_size(16)))
#define CG_SPLAT(x) (Floats{(x), (x), (x), (x)})
#define CG_FMA(a, b, c) ((a) * (b) + (c))
#define CG_FMA1(a, b, c) ((a) * (b) + (c))
#define CG_WHOLE std::int16_t
#define CG_OFFSET 0
#define CG_DOT(sum, a, b) dot_plain(sum, a, b)
#include "learn/tensor/lanes.def"
#undef CG_LEVEL
#undef CG_TARGET
#undef CG_TARGET8
#undef CG_WIDTH
#undef CG_ROWS
#undef CG_FLOATS
#undef CG_SPLAT
#undef CG_FMA
#undef CG_FMA1
#undef CG_WHOLE
#undef CG_OFFSET
#undef CG_DOT

#if defined(__x86_64__)

#define CG_FMA1(a, b, c) __builtin_fmaf(a, b, c)

#define CG_LEVEL avx2
#define CG_TARGET __attribute__((target("avx2,fma")))
#define CG_TARGET8 CG_TARGET
#define CG_WIDTH 8
#define CG_ROWS 4
#define CG_FLOATS __m256
#define CG_SPLAT(x) _mm256_set1_ps(x)
#define CG_FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define CG_WHOLE std::int16_t
#define CG_OFFSET 0
#define CG_DOT(sum, a, b) \
  (sum +                  \
   reinterpret_cast<Ints>(_mm256_madd_epi16(_mm256_set1_epi32(a), reinterpret_cast<__m256i>(b))))
#include "learn/tensor/lanes.def"
#undef CG_LEVEL
#undef CG_TARGET
#undef CG_TARGET8
#undef CG_WIDTH
#undef CG_ROWS
#undef CG_FLOATS
#undef CG_SPLAT
#undef CG_FMA
#undef CG_WHOLE
#undef CG_OFFSET
#undef CG_DOT

#define CG_LEVEL avx512
#define CG_AVX512 "avx512f,avx512bw,avx512vl,avx512dq,avx2,fma"
#define CG_TARGET __attribute__((target(CG_AVX512)))
#define CG_TARGET8 __attribute__((target(CG_AVX512 ",avx512vnni")))
#define CG_WIDTH 16
#define CG_ROWS 8
#define CG_FLOATS __m512
#define CG_SPLAT(x) _mm512_set1_ps(x)
#define CG_FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define CG_WHOLE std::uint8_t
#define CG_OFFSET 128
#define CG_DOT(sum, a, b)                                                                          \
  reinterpret_cast<Ints>(_mm512_dpbusd_epi32(reinterpret_cast<__m512i>(sum), _mm512_set1_epi32(a), \
                                             reinterpret_cast<__m512i>(b)))
#include "learn/tensor/lanes.def"

#endif

namespace cg::tensor {

namespace {

struct Levels {
  std::array<const Kernels*, 4> all{};
  std::size_t count = 0;
};

/// The floats of AVX-512 with the whole numbers of AVX2: a machine without VNNI.
#if defined(__x86_64__)
constexpr Kernels without_vnni() {
  Kernels out = avx512::with("avx512");
  const Kernels whole = avx2::with("");
  out.panel8 = whole.panel8;
  out.group = whole.group;
  out.width = whole.width;
  out.product8 = whole.product8;
  out.quantise = whole.quantise;
  return out;
}
#endif

Levels find_levels() {
  Levels out;
  const auto add = [&](const Kernels& level) { out.all.at(out.count++) = &level; };
#if defined(__x86_64__)
  static constexpr Kernels kVnni = avx512::with("avx512+vnni");
  static constexpr Kernels kWide = without_vnni();
  static constexpr Kernels kAvx2 = avx2::with("avx2");
  const bool avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  const bool wide =
      avx2 && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
      __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512dq") != 0;
  if (wide && __builtin_cpu_supports("avx512vnni") != 0) add(kVnni);
  if (wide) add(kWide);
  if (avx2) add(kAvx2);
#endif
  static constexpr Kernels kPlain = plain::with("portable");
  add(kPlain);
  return out;
}

}  // namespace

std::span<const Kernels* const> all_kernels() {
  static const Levels levels = find_levels();
  return {levels.all.data(), levels.count};
}

const Kernels& kernels() { return *all_kernels().front(); }

Aligned<float> pack(std::size_t panel, std::span<const float> weights, std::size_t depth) {
  const std::size_t columns = weights.size() / depth;
  Aligned<float> out(round_up(columns, panel) * depth);
  for (std::size_t c = 0; c < columns; ++c) {
    float* to = out.data() + (c - c % panel) * depth + c % panel;
    const float* from = weights.data() + c * depth;
    for (std::size_t k = 0; k < depth; ++k) to[k * panel] = from[k];
  }
  return out;
}

Packed8 pack8(const Kernels& kernels, std::span<const float> weights, std::size_t depth) {
  CG_ASSERT(depth <= kMaxDepth8);
  const std::size_t columns = weights.size() / depth;
  const std::size_t room = round_up(columns, kernels.panel8);
  const std::size_t steps = (depth + kernels.group - 1) / kernels.group;
  Packed8 out{Aligned<std::uint8_t>(room * steps * 4), std::vector<float>(room),
              std::vector<std::int32_t>(room)};
  for (std::size_t c = 0; c < columns; ++c) {
    const std::span<const float> from = weights.subspan(c * depth, depth);
    float most = 0;
    for (const float weight : from) most = std::max(most, std::fabs(weight));
    const float factor = factor_of(most);
    out.scales[c] = most / 127.0F;
    std::uint8_t* panel = out.b.data() + (c - c % kernels.panel8) * steps * 4;
    for (std::size_t k = 0; k < depth; ++k) {
      const auto whole = static_cast<std::int16_t>(std::lrintf(from[k] * factor));
      out.sums[c] += whole;
      std::uint8_t* to = panel + (k / kernels.group * kernels.panel8 + c % kernels.panel8) * 4 +
                         k % kernels.group * kernels.width;
      std::memcpy(to, &whole, kernels.width);  // the low byte comes first, and says all
    }
  }
  return out;
}

}  // namespace cg::tensor
