// Range: which versions npm may install, exactly as node-semver reads it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "npm/semver/comparator.h"
#include "npm/semver/version.h"

namespace cg::semver {

inline constexpr std::size_t kMaxRangeBytes = 64 * 1024;
/// In all, and in one alternative. Node has no such limits; no real range is near them.
inline constexpr std::size_t kMaxComparators = 4096;
inline constexpr std::size_t kMaxComparatorsPerSet = 256;

/// Alternatives ("||"), each of them comparators that must all hold. Never empty.
class Range {
 public:
  /// The whole grammar: "^1.2", "~1.2.3", "~>1", "1.x", "*", "", "1.2 - 3", ">=1 <2 || 3".
  /// Time is linear in the text, but for the search for doubles within one alternative.
  [[nodiscard]] static Result<Range, Error> parse(std::string_view text,
                                                  const Options& options = {});

  [[nodiscard]] bool test(const Version& version) const;

  /// Sugar and doubles removed: node's `range`. Empty for a range that is only "*".
  [[nodiscard]] std::string str() const;
  [[nodiscard]] const Options& options() const { return options_; }

  [[nodiscard]] std::size_t set_count() const { return sets_.size(); }
  /// One alternative; never empty.
  [[nodiscard]] std::span<const Comparator> set(std::size_t i) const {
    return std::span(comparators_).subspan(sets_[i].first, sets_[i].count);
  }
  /// Two alternatives were written the same way: node takes them for one object, which
  /// shows in subset(). Never true of one that nothing can satisfy.
  [[nodiscard]] bool same_source(std::size_t i, const Range& other, std::size_t j) const;

 private:
  friend class RangeParser;
  struct Set {
    std::size_t first;
    std::size_t count;
    std::size_t source_at;
    std::size_t source_length;
    bool allows_prerelease;  // some comparator has one
  };
  explicit Range(const Options& options) : options_(options) {}
  [[nodiscard]] bool test_set(const Set& set, const Version& version) const;

  std::vector<Comparator> comparators_;
  std::vector<Set> sets_;
  std::string sources_;  // without builds, one after the other
  Options options_;
};

/// What a range of just these comparators would say of `version`.
[[nodiscard]] bool satisfies_all(std::span<const Comparator> comparators, const Version& version,
                                 const Options& options);

[[nodiscard]] inline bool satisfies(const Version& version, const Range& range) {
  return range.test(version);
}

/// The highest (lowest) that satisfies `range`, the first of equals; nullptr if none does.
[[nodiscard]] const Version* max_satisfying(std::span<const Version> versions, const Range& range);
[[nodiscard]] const Version* min_satisfying(std::span<const Version> versions, const Range& range);

/// The lowest version that could satisfy `range`, published or not. Nothing if there is
/// none, or if it would be beyond what a Version can be.
[[nodiscard]] std::optional<Version> min_version(const Range& range);

}  // namespace cg::semver
