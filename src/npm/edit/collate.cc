#include "npm/edit/collate.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/base/text.h"

namespace cg::edit {

namespace {

constexpr std::string_view kPunctuation = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";
constexpr std::string_view kLeadingKeys[] = {"name",     "version",     "lockfileVersion",
                                             "resolved", "integrity",   "requires",
                                             "packages", "dependencies"};

bool is_upper(unsigned char c) { return c >= 'A' && c <= 'Z'; }

/// What a byte weighs, case aside.
constexpr std::array<std::uint16_t, 256> weights() {
  std::array<std::uint16_t, 256> out{};
  std::uint16_t next = 1;
  for (const char c : kPunctuation) out[static_cast<unsigned char>(c)] = next++;
  for (char c = '0'; c <= '9'; ++c) out[static_cast<unsigned char>(c)] = next++;
  for (char c = 'a'; c <= 'z'; ++c) {
    out[static_cast<unsigned char>(c)] = next;
    out[static_cast<unsigned char>(c - 'a' + 'A')] = next++;
  }
  for (std::size_t c = 0x80; c < out.size(); ++c) out[c] = next++;
  return out;
}
constexpr std::array<std::uint16_t, 256> kWeights = weights();

std::size_t first_rank(std::string_view key) {
  return static_cast<std::size_t>(std::find(std::begin(kLeadingKeys), std::end(kLeadingKeys), key) -
                                  std::begin(kLeadingKeys));
}

/// JavaScript puts such keys before all others, whoever sorts them.
std::optional<std::uint64_t> index_of(std::string_view key) {
  constexpr std::uint64_t kPastIndexes = 0xFFFFFFFFULL;
  const auto number = key.empty() || key[0] > '9' ? std::nullopt : parse_u64(key);
  return number && *number < kPastIndexes ? number : std::nullopt;
}

}  // namespace

int collate(std::string_view a, std::string_view b) {
  const std::size_t shared = std::min(a.size(), b.size());
  int by_case = 0;
  for (std::size_t i = 0; i < shared; ++i) {
    if (a[i] == b[i]) continue;
    const auto left = static_cast<unsigned char>(a[i]);
    const auto right = static_cast<unsigned char>(b[i]);
    if (kWeights[left] != kWeights[right]) return kWeights[left] < kWeights[right] ? -1 : 1;
    if (by_case == 0) by_case = is_upper(left) ? 1 : -1;
  }
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return by_case;
}

int compare_members(const Ranked& a, const Ranked& b, Alphabet alphabet) {
  const auto left = index_of(a.key);
  const auto right = index_of(b.key);
  if (left && right) return *left == *right ? 0 : *left < *right ? -1 : 1;
  if (left || right) return left ? -1 : 1;
  if (a.object != b.object) return a.object ? 1 : -1;
  const std::size_t rank_a = first_rank(a.key);
  const std::size_t rank_b = first_rank(b.key);
  if (rank_a != rank_b) return rank_a < rank_b ? -1 : 1;
  return alphabet == Alphabet::words ? collate(a.key, b.key) : a.key.compare(b.key);
}

}  // namespace cg::edit
