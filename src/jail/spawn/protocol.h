// What is said between a sealed program and its spawner: fixed sizes, a closed set, and no
// text but the two words that gpg takes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/os/fd.h"
#include "jail/spawn/outward.h"

namespace cg::spawn {

/// All that can ever be started.
enum class Program : std::uint32_t {
  broker,
  fetch,
  git,
  jail,
  gpg_sign,    // --detach-sign; words: the key
  gpg_verify,  // --verify; words: the signature file, the signed file
  leaf,
  key,
};
inline constexpr std::size_t kPrograms = 8;
/// "codegenie-git"
[[nodiscard]] std::string_view name(Program program);

inline constexpr std::size_t kWordBytes = 4096;  // the last one is a NUL
inline constexpr std::size_t kMaxWords = 2;
inline constexpr std::size_t kMaxFds = 3;

/// A call that the filter refused and the spawner was told of.
struct Refusal {
  std::int32_t number = 0;  // of the system call
  std::array<std::uint64_t, 3> args{};
};
inline constexpr std::size_t kMaxRefusals = 16;

/// What this kernel lets an unsealed process of this user do.
struct KernelGrants {
  std::uint32_t namespaces = 0;  // user and network namespaces can be made
  std::uint32_t secret_memory = 0;
  std::uint32_t killing_filters = 0;
  Outward outward;  // of the network that a program is born into
};

struct Request {
  enum class Kind : std::uint32_t { pair, start, stop, watch, refusals, grants };
  Kind kind = Kind::pair;
  Program program = Program::git;  // start
  std::int32_t child = 0;          // stop
  std::array<std::array<char, kWordBytes>, kMaxWords> words{};
};

struct Reply {
  std::int32_t error = 0;  // errno
  std::int32_t child = 0;
  std::uint32_t count = 0;  // of refusals since the last time; at most kMaxRefusals are told
  std::array<Refusal, kMaxRefusals> refusals{};
  KernelGrants grants;
};

/// One message and the descriptors that go with it, over a SOCK_SEQPACKET pair. False if the
/// other side is gone.
[[nodiscard]] bool send_message(int socket, std::span<const char> bytes, std::span<const int> fds);
/// False at the end, at a message of another size, and at more than kMaxFds descriptors.
[[nodiscard]] bool receive_message(int socket, std::span<char> bytes, std::vector<os::Fd>& fds);

template <class T>
[[nodiscard]] std::span<const char> bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}
template <class T>
[[nodiscard]] std::span<char> bytes_of(T& value) {
  return {reinterpret_cast<char*>(&value), sizeof value};
}

}  // namespace cg::spawn
