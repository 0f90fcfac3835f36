// What can go wrong with the operating system, as one closed type.
#pragma once

#include <string>

namespace cg::os {

/// One kind per thing a caller may do differently. `path` is what was being
/// opened or written; `code` the errno behind it, 0 where there is none.
struct Error {
  enum class Kind {
    not_found,
    exists,
    denied,      // no permission, or not ours
    symlink,     // a symbolic link, or a path that would leave the folder
    not_a_file,  // a folder, device, socket or pipe where a plain file belongs
    too_big,     // larger than the caller allows
    no_space,    // disk or quota full
    read_only,
    io,
  };
  Kind kind;
  std::string path;
  int code = 0;
};

/// The error for `code`, an errno value.
[[nodiscard]] Error from_errno(int code, std::string path);

/// One line, without the path: "no space left on device".
[[nodiscard]] std::string describe(const Error& error);

}  // namespace cg::os
