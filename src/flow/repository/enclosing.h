// Enclosing: the repository that is meant by whoever names a folder in it.
#pragma once

#include <optional>
#include <string>

namespace cg::repository {

/// The nearest folder above `folder`, within the same git repository, that has a lockfile.
/// Nothing if `folder` has one itself, is the top, or git's folder above is not ours. Looks at
/// names alone, so that it can be asked before this process shuts itself in.
[[nodiscard]] std::optional<std::string> lock_above(const std::string& folder);

/// `named`, or lock_above() if no lockfile is in or beneath it: a workspace's own folder, say.
[[nodiscard]] std::string repository_of(const std::string& named);

/// What to tell where the two differ.
[[nodiscard]] std::string taken_instead(const std::string& named, const std::string& taken);

}  // namespace cg::repository
