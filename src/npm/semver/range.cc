#include "npm/semver/range.h"

#include <algorithm>

namespace cg::semver {
namespace {

/// The least version above `version`: node counts the patch up, or appends ".0".
std::optional<Version> next_above(const Version& version) {
  Result<Version, Error> next = version.has_prerelease() ? Version::parse(version.str() + ".0")
                                                         : version.incremented(Release::patch);
  if (!next) return std::nullopt;
  return *std::move(next);
}

/// The greatest lower bound among `set`; nothing if there is none.
std::optional<Version> least_of(std::span<const Comparator> set) {
  std::optional<Version> least;
  for (const Comparator& comparator : set) {
    if (comparator.is_any() || comparator.is_upper_bound()) continue;
    std::optional<Version> bound = comparator.op() == Comparator::Op::greater
                                       ? next_above(comparator.version())
                                       : comparator.version();
    if (bound && (!least || *bound > *least)) least = std::move(bound);
  }
  return least;
}

}  // namespace

bool satisfies_all(std::span<const Comparator> comparators, const Version& version,
                   const Options& options) {
  for (const Comparator& comparator : comparators) {
    if (!comparator.test(version)) return false;
  }
  if (!version.has_prerelease() || options.include_prerelease) return true;
  return std::any_of(comparators.begin(), comparators.end(), [&](const Comparator& comparator) {
    return comparator.version().has_prerelease() && comparator.version().same_release(version);
  });
}

bool Range::test_set(const Set& set, const Version& version) const {
  if (version.has_prerelease() && !options_.include_prerelease && !set.allows_prerelease) {
    return false;
  }
  return satisfies_all({comparators_.data() + set.first, set.count}, version, options_);
}

bool Range::test(const Version& version) const {
  return std::any_of(sets_.begin(), sets_.end(),
                     [&](const Set& set) { return test_set(set, version); });
}

std::string Range::str() const {
  std::string out;
  for (std::size_t i = 0; i < set_count(); ++i) {
    if (i > 0) out += "||";
    for (const Comparator& comparator : set(i)) {
      if (&comparator != &set(i).front()) out += ' ';
      out += comparator.str();
    }
  }
  return out;
}

bool Range::same_source(std::size_t i, const Range& other, std::size_t j) const {
  if (set(i).front().is_impossible()) return false;
  const auto source = [](const Range& range, std::size_t k) {
    const Set& set = range.sets_[k];
    return std::string_view(range.sources_).substr(set.source_at, set.source_length);
  };
  return options_ == other.options_ && source(*this, i) == source(other, j);
}

const Version* max_satisfying(std::span<const Version> versions, const Range& range) {
  const Version* best = nullptr;
  for (const Version& version : versions) {
    if (best != nullptr && version.compare(*best) <= 0) continue;
    if (range.test(version)) best = &version;
  }
  return best;
}

const Version* min_satisfying(std::span<const Version> versions, const Range& range) {
  const Version* best = nullptr;
  for (const Version& version : versions) {
    if (best != nullptr && version.compare(*best) >= 0) continue;
    if (range.test(version)) best = &version;
  }
  return best;
}

std::optional<Version> min_version(const Range& range) {
  for (const std::string_view text : {"0.0.0", "0.0.0-0"}) {
    Version version = *Version::parse(text);
    if (range.test(version)) return version;
  }
  std::optional<Version> lowest;
  for (std::size_t i = 0; i < range.set_count(); ++i) {
    std::optional<Version> least = least_of(range.set(i));
    if (least && (!lowest || *lowest > *least)) lowest = std::move(least);
  }
  if (lowest && !range.test(*lowest)) return std::nullopt;
  return lowest;
}

}  // namespace cg::semver
