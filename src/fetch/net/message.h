// What the network programs and their parent say to each other: all of it.
//
//   parent -> broker   Start                  broker -> parent   Ready | Failed
//   parent -> fetch    Setup, Get             fetch -> parent    Ready, Head, Piece, End | Failed
//   fetch  -> broker   Dial                   broker -> fetch    Dialled (with a descriptor) |
//   Failed
//
// and with codegenie-leaf what fetch/net/leaf_message.h has. fetch/net/frame.h has the bytes,
// fetch/net/order.h who may say what when.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "fetch/net/leaf_message.h"
#include "fetch/net/url.h"
#include "jail/seal/seal.h"

namespace cg::net {

/// Which addresses a name may lead to. Hosts of loopback lead to loopback alone.
enum class Addresses : std::uint8_t {
  global,  // public ones: neither private networks nor loopback nor link-local (cloud metadata)
  any,     // wherever it leads: only for a name that the operator's own configuration has
};

/// Why a request, or the start of a program, came to nothing.
enum class FailureKind : std::uint8_t {
  unresolved,   // no usable address
  unreachable,  // refused, unroutable, or closed before an answer
  timeout,
  tls,        // handshake or certificate
  protocol,   // not HTTP/1.1 as we read it, or cut off
  too_large,  // more bytes than asked for
  exhausted,  // this broker has dialled as often as it may
  setup,      // could not be sealed, or the settings are unusable
  // The leaf alone:
  no_key,
  no_pin,        // none is set, or all have run out
  pin_mismatch,  // a trusted chain with another key
  status,        // an answer that says no
};
inline constexpr FailureKind kLastFailureKind = FailureKind::status;

struct Start {
  std::string host;
  std::uint16_t port = 0;
  Addresses addresses = Addresses::global;
  std::uint32_t limit_ms = 0;
};
struct Ready {
  seal::Applied applied;
};
struct Failed {
  FailureKind kind = FailureKind::setup;
  std::string detail;
};
/// Where every Get goes, and who is trusted there.
struct Setup {
  Scheme scheme = Scheme::https;
  std::string host;
  std::uint16_t port = 0;
  std::string authorities;    // PEM, besides the system's; may be empty
  std::string authorization;  // header value; may be empty
};
struct Dial {
  std::uint32_t limit_ms = 0;
};
struct Dialled {};
/// How a body may travel. Whoever asked gets it unpacked.
enum class Encoding : std::uint8_t {
  identity,  // streamed as it comes
  gzip,      // or packed, if the server likes: held in memory until it is whole
};

/// Empty texts are headers that are not sent.
struct Get {
  std::string target;
  std::string accept;
  std::string if_none_match;
  std::string if_modified_since;
  std::uint64_t max_bytes = 0;
  std::uint32_t limit_ms = 0;
  Encoding encoding = Encoding::identity;
};
/// Empty texts are headers that the server did not send, or not in a usable form.
struct Head {
  std::uint16_t status = 0;
  std::string etag;
  std::string last_modified;
  std::string content_type;
  std::string location;
  std::string retry_after;
};
struct Piece {
  std::string bytes;
};
struct End {};

using Message = std::variant<Start, Ready, Failed, Setup, Dial, Dialled, Get, Head, Piece, End,
                             LeafSetup, Ask, Play, Recorded, Told, Violated, Unanswered>;

/// In the order of the variant; the number is the byte on the wire.
enum class Kind : std::uint8_t {
  start = 1,
  ready,
  failed,
  setup,
  dial,
  dialled,
  get,
  head,
  piece,
  end,
  leaf_setup,
  ask,
  play,
  recorded,
  told,
  violated,
  unanswered,
};
[[nodiscard]] inline Kind kind_of(const Message& message) {
  return static_cast<Kind>(message.index() + 1);
}

inline constexpr std::size_t kMaxHostText = 253;
inline constexpr std::size_t kMaxTarget = 4096;
inline constexpr std::size_t kMaxHeaderText = 2048;
inline constexpr std::size_t kMaxDetail = 512;
inline constexpr std::size_t kMaxAuthorities = 256 * 1024;
inline constexpr std::size_t kMaxPiece = 64 * 1024;

}  // namespace cg::net
