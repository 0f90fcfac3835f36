// Address: where a name led to, and whether we go there.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <optional>
#include <string>

#include "base/base/bytes.h"
#include "fetch/net/message.h"

namespace cg::net {

enum class AddressClass {
  global,
  private_network,  // RFC 1918, shared address space, unique local
  loopback,
  link_local,  // where clouds keep their metadata services
  special,     // everything else that is nobody's public address
};

/// An IPv4 address is held as IPv6 holds it (::ffff:a.b.c.d).
class Address {
 public:
  [[nodiscard]] static std::optional<Address> parse(const std::string& text);
  [[nodiscard]] static std::optional<Address> from(const sockaddr& address);

  /// An IPv4 address inside an IPv6 one (mapped, NAT64) counts as what it is inside.
  [[nodiscard]] AddressClass classify() const;

  struct Dialable {
    sockaddr_storage bytes{};
    socklen_t size = 0;
    int family = 0;
  };
  [[nodiscard]] Dialable at_port(std::uint16_t port) const;
  friend bool operator==(const Address&, const Address&) = default;

 private:
  explicit Address(const std::array<Byte, 16>& bytes) : bytes_(bytes) {}
  [[nodiscard]] bool is_v4() const;
  std::array<Byte, 16> bytes_;
};

/// The rule of net::Addresses. `loopback_host`: the name or address asked for is
/// one of loopback.
[[nodiscard]] bool may_dial(AddressClass found, bool loopback_host, Addresses allowed);

}  // namespace cg::net
