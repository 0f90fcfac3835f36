// Pins: the public keys that the server's certificates may have, from policy/leaf-pins.yaml.
//
//   schema: codegenie/leaf-pins/v1
//   pins:
//     - spki: "sha256/BASE64"      SHA-256 of a SubjectPublicKeyInfo: of the server or an
//       not_after: 2027-01-31      intermediate authority; the last day on which it counts
//       note: "…"                  for people; may be left out
//
// We ship none: a pin that nobody here could check would be a guess. No pin, no call.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/base/time.h"
#include "fetch/net/leaf_message.h"
#include "trust/hash/digest.h"

namespace cg::leaf {

struct PinnedKey {
  hash::Digest spki{};
  Time not_after;    // midnight UTC at the start of that day
  std::string note;  // printable, at most 200 bytes
  friend bool operator==(const PinnedKey&, const PinnedKey&) = default;
};
/// In the order of the file, all different, at most net::kMaxPins.
struct Pins {
  std::vector<PinnedKey> keys;
  friend bool operator==(const Pins&, const Pins&) = default;
};

/// The error is one line with a place.
[[nodiscard]] Result<Pins, std::string> parse_pins(std::string_view yaml);
/// parse_pins() gives the same back.
[[nodiscard]] std::string write_pins(const Pins& pins);

/// "sha256/BASE64", 51 characters.
[[nodiscard]] std::string to_text(const hash::Digest& spki);
[[nodiscard]] std::optional<hash::Digest> parse_spki(std::string_view text);

/// Those that count at `now`, for the leaf; it looks at the days itself again.
[[nodiscard]] std::vector<net::Pin> current(const Pins& pins, Time now);
/// What an operator should know: nothing is pinned, no backup, one that runs out within 30
/// days. Empty if all is well.
[[nodiscard]] std::vector<std::string> warnings(const Pins& pins, Time now);

/// A key found in a PEM file.
struct PemKey {
  hash::Digest spki{};
  std::string subject;            // printable; empty for a bare public key
  std::optional<Time> not_after;  // of the certificate
  bool authority = false;         // it may certify others
};
/// Certificates and public keys, 1 to 16 of them, as they stand; other blocks, private keys
/// above all, are an error.
[[nodiscard]] Result<std::vector<PemKey>, std::string> spki_of_pem(std::string_view pem);

}  // namespace cg::leaf
