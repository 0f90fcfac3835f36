// Names that git knows: of branches, and of files in trees. Pure.
#pragma once

#include <string>
#include <string_view>

#include "fetch/gitrepo/types.h"

namespace cg::gitrepo {

/// The rules of `git check-ref-format --branch`, for a full ref or a branch name.
[[nodiscard]] bool is_ref_name(std::string_view name);

/// "codegenie/cve-2021-44906-minimist-1.2.6": small letters, digits, `.`, `_` and `-`
/// after the prefix; `@a/b` becomes `a-b`. What would be too long is cut and gets a
/// piece of its digest, so different fixes have different branches. is_ref_name() if
/// `prefix` is one with anything after it.
[[nodiscard]] std::string branch_name(std::string_view prefix, std::string_view advisory,
                                      std::string_view package, std::string_view version);

/// A name in a tree object that git itself never makes: empty, `.`, `..`, with a slash,
/// or one that some file system takes for `.git`.
[[nodiscard]] bool is_hostile_name(std::string_view name);

/// One that git may make and we do not write to disk: control characters, backslash.
[[nodiscard]] bool is_odd_name(std::string_view name);

/// A relative path of honest names, at most kMaxPath bytes.
[[nodiscard]] bool is_safe_path(std::string_view path);

[[nodiscard]] bool fits(const Filter& filter, std::string_view path);
/// In a folder of `filter.without`.
[[nodiscard]] bool is_left_out(const Filter& filter, std::string_view path);
/// Has a name of `filter.watched`.
[[nodiscard]] bool is_watched(const Filter& filter, std::string_view path);

/// The bytes that git names the commit after: the signature is the last of its headers.
[[nodiscard]] std::string object_of(const Shown& shown);

/// "type(scope)!: subject", as conventionalcommits.org has it.
[[nodiscard]] bool is_conventional(std::string_view subject);

}  // namespace cg::gitrepo
