// Versions in advisories: lenient to read, and as bytes that sort as versions do.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "base/base/result.h"
#include "npm/semver/version.h"

namespace cg::advisory {

/// A bound as advisories write it: "0" is before everything (0.0.0-0), "1.2" is 1.2.0,
/// "2025.08.14" is 2025.8.14, and what npm reads loosely is read loosely. More than
/// three numbers are refused: npm would take a part of them for a prerelease.
[[nodiscard]] Result<semver::Version, semver::Error> parse_bound(std::string_view text);

/// A version as bytes: comparing the bytes compares the versions, so a scan needs no
/// parsed bounds. Builds are left out, as they are in npm's order. The one difference
/// to semver::Version is that prerelease numbers above 2^53 keep their exact order.
///
///   number      how many bytes it takes (0 to 7), then those, most significant first
///   key         major, minor, patch, then FF, or for a prerelease its identifiers and 00
///   identifier  01, how many digits, digits; or 02, text, 00
///
/// No key is the beginning of another.
class VersionKey {
 public:
  explicit VersionKey(const semver::Version& version);
  /// Nothing unless `bytes` are the key of some version.
  [[nodiscard]] static std::optional<VersionKey> parse(std::string_view bytes);

  [[nodiscard]] std::string_view bytes() const { return bytes_; }
  /// "1.2.3-beta.4".
  [[nodiscard]] std::string text() const;
  friend auto operator<=>(const VersionKey&, const VersionKey&) = default;

 private:
  explicit VersionKey(std::string bytes) : bytes_(std::move(bytes)) {}
  std::string bytes_;
};

/// Length of the key at the start of `bytes`, 0 if there is none.
[[nodiscard]] std::size_t key_length(std::string_view bytes);

}  // namespace cg::advisory
