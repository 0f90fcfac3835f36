#include "fetch/net/address.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cstring>

namespace cg::net {

namespace {

constexpr std::array<Byte, 12> kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
constexpr std::array<Byte, 12> kNat64{0, 0x64, 0xff, 0x9b};

struct Range4 {
  std::uint32_t first;
  unsigned bits;
  AddressClass kind;
};
constexpr std::uint32_t v4(unsigned a, unsigned b, unsigned c) {
  return a << 24U | b << 16U | c << 8U;
}
using enum AddressClass;
constexpr Range4 kRanges4[] = {
    {v4(0, 0, 0), 8, special},
    {v4(10, 0, 0), 8, private_network},
    {v4(100, 64, 0), 10, private_network},
    {v4(127, 0, 0), 8, loopback},
    {v4(169, 254, 0), 16, link_local},
    {v4(172, 16, 0), 12, private_network},
    {v4(192, 0, 0), 24, special},
    {v4(192, 0, 2), 24, special},
    {v4(192, 88, 99), 24, special},
    {v4(192, 168, 0), 16, private_network},
    {v4(198, 18, 0), 15, special},
    {v4(198, 51, 100), 24, special},
    {v4(203, 0, 113), 24, special},
    {v4(224, 0, 0), 3, special},
};

AddressClass classify4(std::uint32_t address) {
  for (const Range4& range : kRanges4) {
    if ((address ^ range.first) >> (32 - range.bits) == 0) return range.kind;
  }
  return global;
}

AddressClass classify6(const std::array<Byte, 16>& b) {
  const bool zeros = std::all_of(b.begin(), b.end() - 1, [](Byte x) { return x == 0; });
  if (zeros && b[15] == 1) return loopback;
  if ((b[0] & 0xfeU) == 0xfc) return private_network;
  if (b[0] == 0xfe && (b[1] & 0xc0U) == 0x80) return link_local;
  if ((b[0] & 0xe0U) != 0x20) return special;                    // 2000::/3 is all that is public
  if (b[0] == 0x20 && b[1] == 0x02) return special;              // 6to4
  if (b[0] == 0x20 && b[1] == 0x01 && b[2] < 2) return special;  // Teredo and others
  if (b[0] == 0x20 && b[1] == 0x01 && b[2] == 0x0d && b[3] == 0xb8) return special;  // documents
  return global;
}

}  // namespace

std::optional<Address> Address::parse(const std::string& text) {
  std::array<Byte, 16> bytes{};
  std::copy(kMapped.begin(), kMapped.end(), bytes.begin());
  if (inet_pton(AF_INET, text.c_str(), bytes.data() + kMapped.size()) == 1) return Address(bytes);
  if (inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1) return Address(bytes);
  return std::nullopt;
}

std::optional<Address> Address::from(const sockaddr& address) {
  std::array<Byte, 16> bytes{};
  if (address.sa_family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, &address, sizeof in);
    std::copy(kMapped.begin(), kMapped.end(), bytes.begin());
    std::memcpy(bytes.data() + kMapped.size(), &in.sin_addr, sizeof in.sin_addr);
    return Address(bytes);
  }
  if (address.sa_family != AF_INET6) return std::nullopt;
  sockaddr_in6 in{};
  std::memcpy(&in, &address, sizeof in);
  std::memcpy(bytes.data(), &in.sin6_addr, sizeof in.sin6_addr);
  return Address(bytes);
}

bool Address::is_v4() const { return std::equal(kMapped.begin(), kMapped.end(), bytes_.begin()); }

AddressClass Address::classify() const {
  if (!is_v4() && !std::equal(kNat64.begin(), kNat64.end(), bytes_.begin())) {
    return classify6(bytes_);
  }
  std::uint32_t inner = 0;
  for (std::size_t i = 12; i < 16; ++i) inner = inner << 8U | bytes_[i];
  return classify4(inner);
}

Address::Dialable Address::at_port(std::uint16_t port) const {
  Dialable out;
  if (is_v4()) {
    sockaddr_in in{};
    in.sin_family = AF_INET;
    in.sin_port = htons(port);
    std::memcpy(&in.sin_addr, bytes_.data() + kMapped.size(), sizeof in.sin_addr);
    std::memcpy(&out.bytes, &in, sizeof in);
    out.size = sizeof in;
    out.family = AF_INET;
    return out;
  }
  sockaddr_in6 in{};
  in.sin6_family = AF_INET6;
  in.sin6_port = htons(port);
  std::memcpy(&in.sin6_addr, bytes_.data(), sizeof in.sin6_addr);
  std::memcpy(&out.bytes, &in, sizeof in);
  out.size = sizeof in;
  out.family = AF_INET6;
  return out;
}

bool may_dial(AddressClass found, bool loopback_host, Addresses allowed) {
  if (loopback_host) return found == AddressClass::loopback;
  return allowed == Addresses::any || found == AddressClass::global;
}

}  // namespace cg::net
