// Version: what npm calls a version, read and ordered exactly as node-semver does.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "npm/semver/error.h"
#include "npm/semver/identifiers.h"
#include "npm/semver/options.h"

namespace cg::semver {

inline constexpr std::uint64_t kMaxNumber = 9'007'199'254'740'991;  // JavaScript's safe integers
inline constexpr std::size_t kMaxVersionLength = 256;               // UTF-16 units, spaces included

/// What to raise. The `pre…` kinds end in a prerelease; `release` drops it.
enum class Release {
  major,
  premajor,
  minor,
  preminor,
  patch,
  prepatch,
  prerelease,
  release,
  pre,  // only the prerelease: 1.0.0 goes down to 1.0.0-0
};
/// By the names that npm gives them, which are those of the enumerators.
[[nodiscard]] std::optional<Release> parse_release(std::string_view name);

/// Which number the identifier of a new prerelease is followed by.
enum class IdentifierBase { zero, one, none };

/// A version such as 1.2.3-beta.4+build. One cache line; a version without prerelease
/// and build takes no memory beside it.
///
/// The order is that of precedence: builds do not count, so versions that differ in
/// their builds are equal. Prerelease numbers above 2^53 are compared as doubles, as
/// node does; three versions with such numbers may go round in a circle, so untrusted
/// versions are sorted with sort() below and not with std::sort.
class Version {
 public:
  /// Surrounding white space is ignored. Options::include_prerelease has no influence.
  [[nodiscard]] static Result<Version, Error> parse(std::string_view text,
                                                    const Options& options = {});

  [[nodiscard]] std::uint64_t major() const { return major_; }
  [[nodiscard]] std::uint64_t minor() const { return minor_; }
  [[nodiscard]] std::uint64_t patch() const { return patch_; }
  /// As spelled: a number of a loose version may have leading zeros.
  [[nodiscard]] Identifiers prerelease() const { return Identifiers(prerelease_text()); }
  [[nodiscard]] Identifiers build() const { return Identifiers(cut(build_at_, build_length_)); }
  [[nodiscard]] bool has_prerelease() const { return prerelease_length_ > 0; }

  /// The canonical spelling, without build: node's `version`.
  [[nodiscard]] std::string str() const;
  /// The text that was parsed: node's `raw`.
  [[nodiscard]] std::string raw() const { return source_.empty() ? str() : source_; }
  /// Both have the same str().
  [[nodiscard]] bool same_text(const Version& other) const;
  [[nodiscard]] bool same_release(const Version& other) const {
    return major_ == other.major_ && minor_ == other.minor_ && patch_ == other.patch_;
  }

  /// Negative, zero or positive.
  [[nodiscard]] int compare(const Version& other) const {
    if (major_ != other.major_) return major_ < other.major_ ? -1 : 1;
    if (minor_ != other.minor_) return minor_ < other.minor_ ? -1 : 1;
    if (patch_ != other.patch_) return patch_ < other.patch_ ? -1 : 1;
    if ((prerelease_length_ | other.prerelease_length_) == 0) return 0;
    return compare_prerelease(other);
  }
  /// Likewise, and where that is zero by builds.
  [[nodiscard]] int compare_build(const Version& other) const;
  friend std::weak_ordering operator<=>(const Version& a, const Version& b) {
    return a.compare(b) <=> 0;
  }
  friend bool operator==(const Version& a, const Version& b) { return a.compare(b) == 0; }

  /// The version that follows. `identifier` (may be empty) and `base` are for the kinds
  /// that end in a prerelease; with IdentifierBase::none the identifier must not be
  /// empty. `options` says how strict to be about the identifier. A build is kept in
  /// raw(). Where node would return a number above kMaxNumber or a text above
  /// kMaxVersionLength, which it could not read back, this is an error.
  [[nodiscard]] Result<Version, Error> incremented(Release release,
                                                   std::string_view identifier = {},
                                                   IdentifierBase base = IdentifierBase::zero,
                                                   const Options& options = {}) const;

  /// Without what is finer than `release`: major, minor or patch. The kinds that end in
  /// a prerelease give the version without build; node knows no `release` and `pre` here.
  [[nodiscard]] std::optional<Version> truncated(Release release) const;

 private:
  Version(std::uint64_t major, std::uint64_t minor, std::uint64_t patch)
      : major_(major), minor_(minor), patch_(patch) {}
  [[nodiscard]] static std::optional<Version> parse_plain(std::string_view text);
  [[nodiscard]] Version without_build() const;
  [[nodiscard]] std::string_view cut(std::uint16_t at, std::uint16_t length) const {
    return std::string_view(source_).substr(at, length);
  }
  [[nodiscard]] std::string_view prerelease_text() const {
    return cut(prerelease_at_, prerelease_length_);
  }
  [[nodiscard]] int compare_prerelease(const Version& other) const;

  std::uint64_t major_;
  std::uint64_t minor_;
  std::uint64_t patch_;
  std::string source_;  // the text that was parsed; empty if it was just str()
  std::uint16_t prerelease_at_ = 0;
  std::uint8_t prerelease_length_ = 0;
  bool canonical_ = true;  // str() spells the prerelease as source_ does
  std::uint16_t build_at_ = 0;
  std::uint8_t build_length_ = 0;
};

/// Ascending by compare_build(); stable, and safe whatever the versions are.
void sort(std::vector<Version>& versions);

}  // namespace cg::semver
