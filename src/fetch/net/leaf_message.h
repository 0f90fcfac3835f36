// What codegenie-leaf and its parent say to each other: one setup, one question, one answer.
//
//   parent -> leaf   LeafSetup, Ask [, Play]
//   leaf -> parent   Ready | Failed, [Recorded,] Told | Violated | Unanswered
//
// The key is in none of these: it comes to the leaf by another way (model/leaf/key_frame.h) and
// never leaves it but to the server.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trust/hash/digest.h"

namespace cg::net {

enum class FailureKind : std::uint8_t;

enum class Adapter : std::uint8_t {
  anthropic,  // the one host, over TLS and HTTP/2, with the key
  loopback,   // a model server on 127.0.0.1, in the clear, without a key
  replay,     // nobody: the parent plays what was recorded
};
/// The shape of request and response.
enum class Wire : std::uint8_t {
  messages,
  chat,        // bound to a schema
  plain_chat,  // without anything that a server might not know
};

/// A public key that the server, or who certified it, must have.
struct Pin {
  hash::Digest spki{};         // SHA-256 of the SubjectPublicKeyInfo
  std::uint32_t last_day = 0;  // since 1970-01-01 UTC: after it the pin does not count
  friend bool operator==(const Pin&, const Pin&) = default;
};

struct LeafSetup {
  Adapter adapter = Adapter::replay;
  Wire wire = Wire::messages;  // of chat one with loopback; as it was recorded with replay
  std::uint16_t port = 0;      // loopback alone
  std::vector<Pin> pins;       // anthropic alone
  bool record = false;         // say what was said, without secrets
};
struct Ask {
  std::string model;
  std::string system;
  std::string body;
  std::uint32_t max_tokens = 0;
  std::uint32_t limit_ms = 0;
};
/// What a server answered once. It takes the way of an answer that comes now.
struct Play {
  std::uint16_t status = 0;
  std::string content_type;
  std::string retry_after;
  std::string body;
};
/// An exchange, cleaned of the key and of what looks like one.
struct Recorded {
  std::string request;
  std::uint16_t status = 0;
  std::string content_type;
  std::string retry_after;
  std::string response;
};

struct Tokens {
  std::uint64_t input = 0;
  std::uint64_t output = 0;
  std::uint64_t cache_write = 0;
  std::uint64_t cache_read = 0;
  bool known = true;  // false: the server did not count
};
/// Where the key was while it was there.
enum class KeyMemory : std::uint8_t {
  none,    // there was no key
  secret,  // memfd_secret: not even the kernel maps it
  locked,  // mlock, not dumped, wiped on fork
};
struct Exchange {
  hash::Digest request{};   // BLAKE3 of the bytes that went out
  hash::Digest response{};  // and came in
  std::string model;        // as the server called itself
  Tokens tokens;
  std::string key_source;
  KeyMemory key_memory = KeyMemory::none;
};
/// A plan, as proposal::write() spells it.
struct Told {
  std::string plan;
  Exchange exchange;
};
/// The model said something that is no plan.
struct Violated {
  std::uint8_t fault = 0;  // proposal::Fault
  std::string where;
  Exchange exchange;
};
/// There is no answer, or none that could be read.
struct Unanswered {
  FailureKind kind{};
  std::string detail;
  std::uint16_t status = 0;
  bool has_retry_after = false;
  std::uint32_t retry_after_s = 0;
  bool sent = false;  // bytes of a request went out
};

inline constexpr std::size_t kMaxPins = 8;
inline constexpr std::size_t kMaxModel = 128;
inline constexpr std::size_t kMaxSystem = 64 * 1024;
inline constexpr std::size_t kMaxBody = 256 * 1024;
inline constexpr std::size_t kMaxPlan = 192 * 1024;
inline constexpr std::size_t kMaxExchanged = 1024 * 1024;  // of a request or a response
inline constexpr std::size_t kMaxSource = 32;
inline constexpr std::uint8_t kMaxFault = 31;

}  // namespace cg::net
