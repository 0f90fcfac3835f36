// What codegenie and codegenie-key say to each other: one order, its answer, and never a key.
//
//   length   2 bytes, big-endian: of all that follows, 1 to kMaxKeyMessage
//   kind     1 byte
//   fields   in the order of the struct: enumerations as one byte, texts as one byte of
//            length and bytes, lists as one byte of count
//
// A field over its cap, a value outside of its range or bytes left over make the whole message
// bad: there is one encoding per message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cg::leaf {

enum class KeyVerb : std::uint8_t { set, status, rotate, remove, deliver };

/// Where a key can lie. `automatic` is for an order alone.
enum class KeyStore : std::uint8_t { automatic, secret_service, kernel, systemd, env_ci };
inline constexpr KeyStore kKeyStores[] = {KeyStore::secret_service, KeyStore::kernel,
                                          KeyStore::systemd, KeyStore::env_ci};
/// "secret-service", "env_ci_explicit": as events and the leaf name it.
[[nodiscard]] std::string_view name(KeyStore store);
/// What --store takes: not env_ci_explicit, which is nobody's choice but CI's.
[[nodiscard]] std::optional<KeyStore> parse_key_store(std::string_view text);

struct KeyOrder {
  KeyVerb verb = KeyVerb::status;
  KeyStore store = KeyStore::automatic;
  std::string key_name = "anthropic";
  friend bool operator==(const KeyOrder&, const KeyOrder&) = default;
};
/// 1 to 32 of [a-z0-9-], a letter first.
[[nodiscard]] bool is_key_name(std::string_view text);

/// What a store has to say about one key.
enum class KeyState : std::uint8_t {
  held,
  removed,      // by this order
  empty,        // the store is open and has no such key
  missing,      // there is no such store on this machine
  locked,       // there, and closed
  unavailable,  // there, and it failed or did not answer in time
  malformed,    // what it has is no key
};
[[nodiscard]] std::string_view name(KeyState state);

inline constexpr std::size_t kMaxKeyDetail = 200;

struct StoreReport {
  KeyStore store = KeyStore::kernel;
  KeyState state = KeyState::missing;
  std::string fingerprint;  // if held: 16 hexadecimal digits
  std::string detail;       // short, printable: where, how long it lasts, what failed
  friend bool operator==(const StoreReport&, const StoreReport&) = default;
};

/// Echo is off: now is the time to ask for the key.
struct KeyAsked {
  friend bool operator==(const KeyAsked&, const KeyAsked&) = default;
};
/// set, rotate and deliver. `previous`: the fingerprint of what was there before.
struct KeyDone {
  StoreReport place;
  std::string previous;
  friend bool operator==(const KeyDone&, const KeyDone&) = default;
};
/// status and remove: each store once.
struct KeyListed {
  std::vector<StoreReport> places;
  friend bool operator==(const KeyListed&, const KeyListed&) = default;
};
struct KeyRefused {
  enum class Reason : std::uint8_t {
    missing,
    locked,
    empty,
    unavailable,
    bad_key,   // not the characters of a key, or none at all
    too_long,  // more than a key has
    same_key,  // rotate, to what is there already
    no_terminal,
    cancelled,  // by a signal, or by nobody typing
  };
  Reason reason = Reason::missing;
  KeyStore store = KeyStore::automatic;
  std::string detail;
  friend bool operator==(const KeyRefused&, const KeyRefused&) = default;
};
[[nodiscard]] std::string_view name(KeyRefused::Reason reason);
using KeyAnswer = std::variant<KeyAsked, KeyDone, KeyListed, KeyRefused>;

inline constexpr std::size_t kKeyLengthBytes = 2;
inline constexpr std::size_t kMaxKeyMessage = 1024;

/// Of the first two bytes; none if no message has that length.
[[nodiscard]] std::optional<std::size_t> key_message_size(std::string_view length);

/// With the length. Texts are made printable and cut to their cap; a name or fingerprint that
/// is none is our own mistake.
[[nodiscard]] std::string write_key_order(const KeyOrder& order);
[[nodiscard]] std::string write_key_answer(const KeyAnswer& answer);

/// `message` is all that follows the length.
[[nodiscard]] std::optional<KeyOrder> parse_key_order(std::string_view message);
[[nodiscard]] std::optional<KeyAnswer> parse_key_answer(std::string_view message);

}  // namespace cg::leaf
