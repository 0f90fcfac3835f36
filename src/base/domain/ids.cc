#include "base/domain/ids.h"

#include <algorithm>

namespace cg {

namespace {
constexpr std::string_view kCrockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr std::size_t kUlidDigits = 26;
}  // namespace

std::optional<LogId> LogId::parse(std::string_view text) {
  if (!from_hex<16>(text)) return std::nullopt;
  return LogId(std::string(text));
}

LogId LogId::from_random(const std::array<Byte, 16>& random) { return LogId(to_hex(random)); }

std::optional<WorkflowId> WorkflowId::parse(std::string_view text) {
  if (text.size() != kUlidDigits || text[0] > '7') return std::nullopt;
  const bool known = std::all_of(text.begin(), text.end(), [](char c) {
    return kCrockford.find(c) != std::string_view::npos;
  });
  if (!known) return std::nullopt;
  return WorkflowId(std::string(text));
}

WorkflowId WorkflowId::make(Time now, const std::array<Byte, 10>& random) {
  std::string text(kUlidDigits, '0');
  auto ms = static_cast<std::uint64_t>(std::max<std::int64_t>(0, now.ms)) & 0xFFFFFFFFFFFFULL;
  for (std::size_t i = 10; i-- > 0; ms >>= 5U) text[i] = kCrockford[ms & 31U];
  std::uint32_t bits = 0;
  unsigned have = 0;
  std::size_t at = 10;
  for (const Byte b : random) {
    bits = bits << 8U | b;
    have += 8;
    for (; have >= 5; have -= 5) text[at++] = kCrockford[bits >> (have - 5U) & 31U];
  }
  return WorkflowId(std::move(text));
}

}  // namespace cg
