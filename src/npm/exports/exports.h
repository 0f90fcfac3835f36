// Exports: what a package lets others use, read from its tarball and without running it.
//
// package.json says which files are the way in (`exports` with its conditions and patterns, or
// main, module, types), each file says which names it exports, and names that it only hands on
// are followed through the package. What cannot be known without running the file is said:
// such a module is not complete, and may export more than is listed.
//
// Not followed: other packages, names that are made up while running, what functions that are
// handed `exports` put there. Bounded in bytes, files, entries and depth; work is counted by the
// parser's own fuel (npm/syntax/fuel.h), so that a package is always read alike.
#pragma once

#include <string_view>

#include "base/base/result.h"
#include "npm/exports/api.h"

namespace cg::exports {

/// `tarball` as a registry serves it: gzip around tar, everything in one folder.
[[nodiscard]] Result<Api, Error> read_package(std::string_view tarball, const Limits& limits = {});
[[nodiscard]] Result<Api, Error> read_files(const Files& files, const Limits& limits = {});

}  // namespace cg::exports
