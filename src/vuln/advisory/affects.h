// Which versions an advisory affects, and which fix it.
//
// This follows the evaluation of the OSV schema: the events of a range are sorted by
// version, `introduced` opens, `fixed` and `last_affected` close, `limit` cuts. A
// version is affected if a range covers it or the list of versions names it.
// Prereleases count like any other version: 4.17.19-rc.1 is before 4.17.19.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vuln/advisory/advisory.h"
#include "vuln/advisory/version_key.h"

namespace cg::advisory {

/// How an interval ends. The numbers are written into the index: never change them.
enum class IntervalEnd {
  open = 0,           // everything from `from` on
  fixed = 1,          // `to` is the first good version
  last_affected = 2,  // `to` is the last bad version, and no fix is named
  limit = 3,          // `to` is the first version that is not spoken of
};

struct Interval {
  VersionKey from;
  IntervalEnd end = IntervalEnd::open;
  std::optional<VersionKey> to = {};  // nothing exactly if open
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// All that a scan needs of one advisory for one package.
struct PackageRule {
  std::string advisory;
  Level level = Level::unknown;
  bool malware = false;
  std::vector<Interval> intervals;   // by `from`, then as the record has them
  std::vector<VersionKey> versions;  // ascending, unique
  std::vector<VersionKey> fixed;     // every fix the record names; ascending, unique
  friend bool operator==(const PackageRule&, const PackageRule&) = default;
};

/// Why a version is affected.
struct Match {
  bool listed = false;                       // the list of versions names it
  std::optional<std::size_t> interval = {};  // which one covers it
  /// The fix of that interval: of several intervals the one whose fix is lowest.
  std::optional<VersionKey> fixed_in = {};
  friend bool operator==(const Match&, const Match&) = default;
};

[[nodiscard]] std::vector<Interval> intervals_of(const Range& range);

/// One rule for each package that the advisory names, from all its `affected` together.
[[nodiscard]] std::map<std::string, PackageRule> rules_of(const Advisory& advisory);

/// Nothing if the version is not affected.
[[nodiscard]] std::optional<Match> evaluate(const PackageRule& rule, const VersionKey& version);

// --- shared with rule.h ---

[[nodiscard]] bool covers(IntervalEnd end, std::string_view from, std::string_view to,
                          std::string_view version);

}  // namespace cg::advisory
