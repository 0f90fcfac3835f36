#include "base/json/json_index.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/base/assert.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cg::json {

namespace {

/// Bit i is the parity of the bits up to i: set from each opening quote up to, not
/// including, the closing one.
std::uint64_t prefix_parity(std::uint64_t bits) {
  for (unsigned shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

}  // namespace

JsonIndex::JsonIndex(std::string_view text, Width width)
    : text_(text),
      window_(std::make_unique_for_overwrite<Window>()),
      marks_(window_->marks.data()),
#if defined(__x86_64__)
      wide_(width == Width::widest && __builtin_cpu_supports("avx2") != 0)
#else
      wide_(width == Width::widest && false)
#endif
{
  CG_ASSERT(text.size() < kNone);
}

void JsonIndex::restart(std::uint32_t offset) {
  next_ = offset;
  at_ = count_ = 0;
  in_string_ = after_escape_ = after_scalar_ = 0;
}

/// Which bytes a backslash escapes. Backslashes are rare: bit by bit is fine.
std::uint64_t JsonIndex::escaped(std::uint64_t backslash) {
  std::uint64_t out = after_escape_;
  after_escape_ = 0;
  while (backslash != 0) {
    const auto at = static_cast<unsigned>(std::countr_zero(backslash));
    backslash &= backslash - 1;
    if ((out >> at & 1U) != 0) continue;
    if (at + 1 == kBlock) {
      after_escape_ = 1;
    } else {
      out |= std::uint64_t{1} << (at + 1);
    }
  }
  return out;
}

[[gnu::always_inline]] inline void JsonIndex::take_block(const Masks& masks, std::uint32_t offset) {
  std::uint64_t quotes = masks.quote;
  if ((masks.backslash | after_escape_) != 0) [[unlikely]] {
    quotes &= ~escaped(masks.backslash);
    if (masks.backslash != 0) {
      last_backslash_ = offset + static_cast<std::uint32_t>(63 - std::countl_zero(masks.backslash));
    }
  }
  const std::uint64_t inside = prefix_parity(quotes) ^ in_string_;
  in_string_ = static_cast<std::uint64_t>(static_cast<std::int64_t>(inside) >> 63U);
  if ((masks.control & inside) != 0 && control_ == kNone) [[unlikely]] {
    control_ = offset + static_cast<std::uint32_t>(std::countr_zero(masks.control & inside));
  }
  const std::uint64_t scalar = ~(masks.blank | masks.bracket | quotes | inside);
  std::uint64_t marks =
      quotes | (masks.bracket & ~inside) | (scalar & ~(scalar << 1U | after_scalar_));
  after_scalar_ = scalar >> 63U;

  // Eight at a time, whether there are as many or not: what is too much is written over
  // by the next block, and the processor need not guess how many there are.
  std::uint32_t* out = window_->marks.data() + count_;
  count_ += static_cast<std::size_t>(std::popcount(marks));
  do {
    for (int i = 0; i < 8; ++i) {
      *out++ = offset + static_cast<std::uint32_t>(std::countr_zero(marks));
      marks &= marks - 1;
    }
  } while (marks != 0);
}

JsonIndex::Masks JsonIndex::masks_of(const char* block) {
  Masks masks{};
  for (std::size_t i = 0; i < kBlock; ++i) {
    const char c = block[i];
    const std::uint64_t bit = std::uint64_t{1} << i;
    if (c == '"') masks.quote |= bit;
    if (c == '\\') masks.backslash |= bit;
    if (c == '{' || c == '}' || c == '[' || c == ']' || c == ':' || c == ',') masks.bracket |= bit;
    if (c == ' ' || c == '\n' || c == '\r' || c == '\t') masks.blank |= bit;
    if (static_cast<unsigned char>(c) < 0x20U) masks.control |= bit;
  }
  return masks;
}

void JsonIndex::scan_portable(const char* from, std::size_t blocks) {
  for (std::size_t i = 0; i < blocks; ++i) {
    take_block(masks_of(from + i * kBlock), next_ + static_cast<std::uint32_t>(i * kBlock));
  }
}

#if defined(__x86_64__)

// Macros, because a function that takes or gives such a vector needs the same target
// attribute as its caller, and GCC 12 does not pass it on to a lambda.
#define CG_IS(bytes, c) _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(c))
#define CG_OR(a, b) _mm256_or_si256(a, b)
// With the bit 0x20 set, [ and { are the same, and ] and }.
#define CG_LOWER(bytes) CG_OR(bytes, _mm256_set1_epi8(0x20))
#define CG_BRACKET(bytes)                                                \
  CG_OR(CG_OR(CG_IS(CG_LOWER(bytes), '{'), CG_IS(CG_LOWER(bytes), '}')), \
        CG_OR(CG_IS(bytes, ':'), CG_IS(bytes, ',')))
#define CG_BLANK(bytes) \
  CG_OR(CG_OR(CG_IS(bytes, ' '), CG_IS(bytes, '\n')), CG_OR(CG_IS(bytes, '\r'), CG_IS(bytes, '\t')))
#define CG_CONTROL(bytes) _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, _mm256_set1_epi8(0x1F)), bytes)
#define CG_HALF(bytes) \
  static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes)))
#define CG_BITS(low, high) (CG_HALF(low) | CG_HALF(high) << 32U)

__attribute__((target("avx2"), always_inline)) inline JsonIndex::Masks JsonIndex::masks_wide(
    const char* block) {
  const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block));
  const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block + kBlock / 2));
  return {CG_BITS(CG_IS(low, '"'), CG_IS(high, '"')), CG_BITS(CG_IS(low, '\\'), CG_IS(high, '\\')),
          CG_BITS(CG_BRACKET(low), CG_BRACKET(high)), CG_BITS(CG_BLANK(low), CG_BLANK(high)),
          CG_BITS(CG_CONTROL(low), CG_CONTROL(high))};
}

__attribute__((target("avx2,bmi,popcnt,lzcnt"))) void JsonIndex::scan_wide(const char* from,
                                                                           std::size_t blocks) {
  for (std::size_t i = 0; i < blocks; ++i) {
    take_block(masks_wide(from + i * kBlock), next_ + static_cast<std::uint32_t>(i * kBlock));
  }
}

#else

void JsonIndex::scan_wide(const char* from, std::size_t blocks) { scan_portable(from, blocks); }

#endif

void JsonIndex::scan(const char* from, std::size_t blocks) {
  if (wide_) {
    scan_wide(from, blocks);
  } else {
    scan_portable(from, blocks);
  }
}

void JsonIndex::refill() {
  at_ = count_ = 0;
  while (count_ == 0 && next_ < text_.size()) {
    const std::size_t left = text_.size() - next_;
    const std::size_t bytes = std::min(left, kWindowBytes);
    scan(text_.data() + next_, bytes / kBlock);
    next_ += static_cast<std::uint32_t>(bytes / kBlock * kBlock);
    if (const std::size_t rest = bytes % kBlock; rest != 0) {
      // The end of the text, filled up with what means nothing.
      char block[kBlock];
      std::memset(block, ' ', kBlock);
      std::memcpy(block, text_.data() + next_, rest);
      scan(block, 1);
      next_ += static_cast<std::uint32_t>(rest);
    }
  }
  if (count_ == 0) window_->marks[count_++] = static_cast<std::uint32_t>(text_.size());
}

}  // namespace cg::json
