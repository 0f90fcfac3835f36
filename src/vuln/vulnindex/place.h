// Where the index lives in a workspace, and how a new one takes its place.
//
// Whoever dies half-way leaves the old index as it was, and at most a temporary file
// that the next refresh removes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/base/result.h"
#include "base/os/dir.h"
#include "vuln/vulnindex/draft.h"
#include "vuln/vulnindex/index.h"

namespace cg::vulnindex {

inline constexpr const char* kFolder = "cache";
inline constexpr const char* kFile = "cache/vuln-index.sqlite";

/// The index of the workspace `home`; Error::missing if there is none.
[[nodiscard]] Result<Index, Error> open_index(const os::Dir& home);

/// By id, between two sets of records.
struct Changes {
  std::vector<std::string> added;
  std::vector<std::string> changed;
  std::vector<std::string> removed;
};
[[nodiscard]] Changes changes_between(const Draft& before, const Draft& after);

struct Replacement {
  Summary summary;
  std::optional<Summary> previous;
  Changes changes;
  std::string kept_as;  // the previous index's new name; empty if there was none
};

struct ReplaceOptions {
  /// How many percent of the records of a source may be gone.
  unsigned max_shrink_percent = 5;
  Time now{};
};

/// Puts in the records of `fresh` in place of those that the index has of the same
/// sources, and keeps those of other sources. Refuses, and changes nothing, if a
/// source would shrink by more than allowed. An index that is damaged is replaced, and
/// kept as vuln-index.damaged.sqlite; what it had of other sources is lost.
[[nodiscard]] Result<Replacement, Error> replace_sources(const os::Dir& home, const Draft& fresh,
                                                         const std::vector<std::string>& sources,
                                                         const std::vector<Rejected>& rejected,
                                                         const ReplaceOptions& options);

/// Puts in exactly these records, built at `built`.
[[nodiscard]] Result<Replacement, Error> replace_all(const os::Dir& home, const Draft& draft,
                                                     Time built);

}  // namespace cg::vulnindex
