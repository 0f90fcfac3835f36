// Versions and ranges that parse are spelled out, and parse again to the same; what is
// said to satisfy a range does. The first byte chooses the options, the first line is a
// version, the rest a range.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/assert.h"
#include "npm/semver/range.h"
#include "npm/semver/subset.h"

namespace {

using namespace cg::semver;

void check_version(const Version& version, const Options& options) {
  CG_ASSERT(version == version && version.compare_build(version) == 0);
  // A prerelease without its hyphen gets one, which may be one character too many.
  const auto again = Version::parse(version.str(), options);
  CG_ASSERT(again || version.str().size() > kMaxVersionLength);
  CG_ASSERT(!again || (again->same_text(version) && again->str() == version.str()));
  const auto raw = Version::parse(version.raw(), options);
  CG_ASSERT(raw && raw->same_text(version) && raw->compare_build(version) == 0);
  for (const Release release : {Release::major, Release::minor, Release::patch, Release::premajor,
                                Release::prepatch, Release::prerelease}) {
    const auto next = version.incremented(release);
    // A number that is too long to be one cannot count up, so ".0" is put behind it.
    CG_ASSERT(!next || *next > version || version.has_prerelease());
    CG_ASSERT(!next || Version::parse(next->str(), options));
    const auto cut = version.truncated(release);
    CG_ASSERT(cut && (*cut <= version || version.has_prerelease()));
  }
}

/// Versions at which the answer of `range` may change.
std::vector<Version> probes_of(const Range& range) {
  constexpr std::size_t kEnough = 32;
  std::vector<Version> out;
  for (std::size_t i = 0; i < range.set_count(); ++i) {
    for (const Comparator& comparator : range.set(i)) {
      if (out.size() < kEnough) out.push_back(comparator.version());
    }
  }
  return out;
}

void check_range(const Range& range, std::vector<Version> probes) {
  if (const auto least = min_version(range)) CG_ASSERT(range.test(*least));
  const auto again = Range::parse(range.str(), range.options());
  CG_ASSERT(again || again.error() == Error::too_long);
  // Only ">=v0.0.0" needs a second reading to become "*", and "*" then stands for all
  // alternatives, without the prereleases that one of them may have named.
  const bool same = again && again->str() == range.str();
  for (const Version& probe : probes) {
    const bool inside = range.test(probe);
    CG_ASSERT(!same || again->test(probe) == inside);
    const bool above = is_outside(probe, range, Side::above);
    const bool below = is_outside(probe, range, Side::below);
    CG_ASSERT(!inside || (!above && !below));
  }
  sort(probes);
  const Version* best = max_satisfying(probes, range);
  const Version* worst = min_satisfying(probes, range);
  CG_ASSERT((best == nullptr) == (worst == nullptr));
  CG_ASSERT(best == nullptr || (range.test(*best) && range.test(*worst)));
  if (!again) return;
  static_cast<void>(subset(range, *again));
  static_cast<void>(intersects(range, *again));
  const auto third = Range::parse(again->str(), range.options());
  CG_ASSERT(third && third->str() == again->str());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Options options{.loose = (data[0] & 1U) != 0, .include_prerelease = (data[0] & 2U) != 0};
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t line = text.find('\n');
  const auto version = Version::parse(text.substr(0, line), options);
  if (version) check_version(*version, options);
  const bool one_line = line == std::string_view::npos;
  const auto range = Range::parse(one_line ? text : text.substr(line + 1), options);
  if (!range) return 0;
  std::vector<Version> probes = probes_of(*range);
  if (version) probes.push_back(*version);
  check_range(*range, std::move(probes));
  return 0;
}
