// FileError: why a file of the repository could not be used, and where in it.
#pragma once

#include <string>
#include <string_view>

#include "base/json/value.h"
#include "base/os/error.h"
#include "npm/lockfile/lock.h"
#include "npm/npm/manifest.h"

namespace cg::repository {

struct FileError {
  enum class Kind {
    no_lockfile,  // none in the whole repository; the path is "."
    unsupported,  // a lockfile of a format that is not read
    unreadable,
    symlink,  // a symbolic link is never followed
    too_large,
    empty,
    not_utf8,
    byte_order_mark,
    cut_off,         // the text ends in the middle: half-written
    merge_conflict,  // git's markers are still in it
    syntax,
    version,
    shape,
  };
  Kind kind;
  std::string path;
  json::Position at;
  std::string what;  // one line, printable, without path and position
};
/// "no_lockfile", "unsupported", …: the name of the kind.
[[nodiscard]] std::string_view name(FileError::Kind kind);
/// "package-lock.json:3:14: duplicate key `a`"; the place only where it is known.
[[nodiscard]] std::string describe(const FileError& error);

/// The error for a file that could not be read.
[[nodiscard]] FileError from_os(const os::Error& error, std::string path);
/// The errors for a file that was read but means nothing. `text` is looked at for the
/// usual causes, which say more than "syntax".
[[nodiscard]] FileError from_lock(const lockfile::LockError& error, std::string path,
                                  std::string_view text);
[[nodiscard]] FileError from_manifest(const npm::ManifestError& error, std::string path,
                                      std::string_view text);
[[nodiscard]] FileError from_parse(const json::ParseError& error, std::string path,
                                   std::string_view text);

}  // namespace cg::repository
