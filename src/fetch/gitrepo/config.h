// The few lines of a repository's config that say what kind of repository it is.
//
// Read by hand, so that nothing else in the file can act: no include, no hook path, no
// filter, no remote. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/base/result.h"

namespace cg::gitrepo {

struct FormatConfig {
  int version = 0;            // core.repositoryformatversion
  bool bare = false;          // core.bare
  std::string work_tree;      // core.worktree, "" if not set
  std::string object_format;  // extensions.objectformat
  std::string ref_storage;    // extensions.refstorage
  std::string unknown;        // an extension that changes what a repository is, "" if none
};

struct ConfigError {
  std::size_t line;
};

inline constexpr std::size_t kMaxConfigBytes = 1U << 20U;

/// Git's syntax: sections, `key = value`, quotes, escapes, comments, continued lines.
/// Includes are not followed, as git does not for these keys.
[[nodiscard]] Result<FormatConfig, ConfigError> parse_config(std::string_view text);

/// .gitmodules, in the same syntax: path of a submodule -> its name, by which its objects are kept.
/// What is no path of honest names is left out.
[[nodiscard]] Result<std::map<std::string, std::string>, ConfigError> parse_modules(
    std::string_view text);

}  // namespace cg::gitrepo
