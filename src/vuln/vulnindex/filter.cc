#include "vuln/vulnindex/filter.h"

#include <algorithm>

#include "base/json/json_reader.h"

namespace cg::vulnindex {

namespace {

constexpr std::size_t kBytesPerName = 2;
constexpr std::size_t kProbes = 4;
constexpr std::size_t kMinBytes = 64;
// Part of the format: another number would make old filters lie.
constexpr std::uint64_t kSeed = 0x5DEECE66D1CE4E5BULL;

/// The bits that stand for `name`: two halves of one number, stepped.
template <class F>
void for_each_bit(std::string_view name, std::size_t bits, const F& f) {
  const std::uint64_t print = json::fingerprint(name, kSeed);
  const std::uint64_t step = print >> 32U | 1U;
  std::uint64_t at = print;
  for (std::size_t i = 0; i < kProbes; ++i, at += step) {
    f(static_cast<std::size_t>(at % bits));
  }
}

}  // namespace

NameFilter NameFilter::of(const std::vector<std::string>& names) {
  std::string bits(std::max(kMinBytes, names.size() * kBytesPerName), '\0');
  for (const std::string& name : names) {
    for_each_bit(name, bits.size() * 8, [&](std::size_t bit) {
      const unsigned byte = static_cast<unsigned char>(bits[bit / 8]);
      bits[bit / 8] = static_cast<char>(byte | 1U << bit % 8);
    });
  }
  return NameFilter(std::move(bits));
}

NameFilter NameFilter::from_bytes(std::string bytes) { return NameFilter(std::move(bytes)); }

bool NameFilter::may_have(std::string_view name) const {
  if (bits_.empty()) return true;
  bool all = true;
  for_each_bit(name, bits_.size() * 8, [&](std::size_t bit) {
    const unsigned byte = static_cast<unsigned char>(bits_[bit / 8]);
    all = all && (byte >> bit % 8 & 1U) != 0;
  });
  return all;
}

}  // namespace cg::vulnindex
