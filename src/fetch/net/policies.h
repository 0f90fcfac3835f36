// What the network programs give up, as values: the programs seal themselves with
// these, and the tests try to break out of these.
//
// Both programs hold the same four descriptors and no more: 0 the parent, 1 the
// other program, 2 and 3 nothing (/dev/null). Sockets are therefore 4 to 7, and a
// filter can tell them from the rest by one bit: the first four cannot be closed,
// duplicated or replaced after sealing.
#pragma once

#include <cstdint>
#include <vector>

#include "base/base/result.h"
#include "fetch/net/channel.h"
#include "jail/seal/seal.h"

namespace cg::net {

inline constexpr int kParentFd = 0;
inline constexpr int kLinkFd = 1;
inline constexpr unsigned kFirstSocket = 4;
inline constexpr unsigned kMaxDescriptors = 8;

/// codegenie-fetch, from before its first byte of network: reads and writes sockets
/// it was handed, receives them, talks to its parent. No socket, connect, sendmsg,
/// no file, no program, no executable memory; anything else ends it.
[[nodiscard]] Result<seal::Policy, seal::Error> fetch_policy();

/// codegenie-leaf, from before its key and its first byte of network: the same. Its
/// descriptor 2 is not /dev/null but where the key comes from.
[[nodiscard]] Result<seal::Policy, seal::Error> leaf_policy();
inline constexpr int kKeyFd = 2;

/// codegenie-broker while it resolves a name: what glibc's resolver does. UDP and TCP
/// to the name servers of this machine, the sockets of nscd and systemd-resolved,
/// the kernel's list of addresses, and reading the resolver's files and modules. All
/// else is refused, not fatal: resolver modules try things and go on without.
///
/// Here the broker can send: a question to a name server is sent. It knows a host
/// name and nothing else, holds no token and has read nothing from outside.
[[nodiscard]] Result<seal::Policy, seal::Error> resolving_policy(std::uint16_t port);

/// codegenie-broker from then on: TCP sockets, connect, and handing them over. It
/// cannot send a byte on one: write, sendto and sendmsg do not work on descriptors
/// 4 to 7, fast open is a flag that is not allowed, MPTCP a protocol that is not. No
/// files. Anything else ends it. The port is `port`, where the kernel can tell; the
/// address is whatever it says: who answers there is for fetch to verify.
[[nodiscard]] Result<seal::Policy, seal::Error> dialling_policy(std::uint16_t port);

/// Sealed with `policy`, or the parent is told why not and the process ends.
[[nodiscard]] seal::Applied sealed(Channel& parent,
                                   const Result<seal::Policy, seal::Error>& policy);

}  // namespace cg::net
