// How npm is told to read versions and ranges.
#pragma once

namespace cg::semver {

/// The two switches of node-semver, by its names and with its defaults.
struct Options {
  /// Forgives what old packages contain: "=v1.2.3", "1.2.3beta", "01.02.03". A range
  /// then drops comparators that it cannot read, as long as one alternative is left.
  bool loose = false;
  /// A prerelease satisfies a range like any other version. Without it, it does only
  /// where a comparator of the same alternative has a prerelease of the same
  /// major.minor.patch. Matching advisories wants it, choosing versions does not.
  bool include_prerelease = false;
  friend bool operator==(const Options&, const Options&) = default;
};

}  // namespace cg::semver
