#include "jail/snapshot/sha1.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace cg::snapshot {

namespace {

constexpr std::size_t kBlock = 64;
using State = std::array<std::uint32_t, 5>;

std::uint32_t word_at(const Byte* bytes) {
  return std::uint32_t{bytes[0]} << 24U | std::uint32_t{bytes[1]} << 16U |
         std::uint32_t{bytes[2]} << 8U | std::uint32_t{bytes[3]};
}

// FIPS 180-4, 6.1.2.
void compress(State& state, const Byte* block) {
  std::array<std::uint32_t, 80> w{};
  for (std::size_t i = 0; i < 16; ++i) w[i] = word_at(block + 4 * i);
  for (std::size_t i = 16; i < 80; ++i) {
    w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  }
  std::uint32_t a = state[0];
  std::uint32_t b = state[1];
  std::uint32_t c = state[2];
  std::uint32_t d = state[3];
  std::uint32_t e = state[4];
  const auto rounds = [&](std::size_t from, std::uint32_t constant, const auto& mix) {
    for (std::size_t i = from; i < from + 20; ++i) {
      const std::uint32_t next = std::rotl(a, 5) + mix() + e + constant + w[i];
      e = d;
      d = c;
      c = std::rotl(b, 30);
      b = a;
      a = next;
    }
  };
  rounds(0, 0x5a827999, [&] { return (b & c) | (~b & d); });
  rounds(20, 0x6ed9eba1, [&] { return b ^ c ^ d; });
  rounds(40, 0x8f1bbcdc, [&] { return (b & c) | (b & d) | (c & d); });
  rounds(60, 0xca62c1d6, [&] { return b ^ c ^ d; });
  const State added{a, b, c, d, e};
  for (std::size_t i = 0; i < added.size(); ++i) state[i] += added[i];
}

}  // namespace

Id sha1(ByteView bytes) {
  State state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (; bytes.size() >= kBlock; bytes = bytes.subspan(kBlock)) compress(state, bytes.data());
  std::array<Byte, 2 * kBlock> last{};
  std::copy(bytes.begin(), bytes.end(), last.begin());
  last[bytes.size()] = 0x80;
  const std::size_t size = bytes.size() + 9 <= kBlock ? kBlock : 2 * kBlock;
  for (std::size_t i = 0; i < 8; ++i) last[size - 1 - i] = static_cast<Byte>(bits >> (8 * i));
  for (std::size_t at = 0; at < size; at += kBlock) compress(state, last.data() + at);
  Id out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<Byte>(state[i / 4] >> (24 - 8 * (i % 4)));
  }
  return out;
}

}  // namespace cg::snapshot
