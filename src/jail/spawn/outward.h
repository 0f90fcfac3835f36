// Outward: what the kernel says of the ways out of this network, without a packet being sent.
#pragma once

#include <cstdint>
#include <string_view>

namespace cg::spawn {

/// A count that this user may not ask for, or that came back as nonsense.
inline constexpr std::uint32_t kNotTold = ~std::uint32_t{0};

struct Outward {
  /// errno of a route to an address that documentation keeps for itself; 0: there is one. The
  /// better of IPv4 and IPv6.
  std::uint32_t route = 0;
  std::uint32_t chains = kNotTold;  // of nftables, that see what this host sends
  std::uint32_t tables = kNotTold;  // of the older iptables
};

/// A datagram socket that is connected sends nothing: the kernel looks for a route, and asks the
/// filters that a cgroup has for that.
[[nodiscard]] Outward probe_outward();

/// Chains that hook what this host sends, in what the kernel answered to a question for all of
/// them: netlink messages one after the other. 0 if it says that it knows no nftables, kNotTold if
/// it says anything else.
[[nodiscard]] std::uint32_t count_output_chains(std::string_view messages);

}  // namespace cg::spawn
