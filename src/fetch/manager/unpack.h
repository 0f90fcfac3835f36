// Unpack: the files of a package in a folder, for whoever runs it to read.
#pragma once

#include <string>
#include <string_view>

#include "base/base/result.h"
#include "base/os/dir.h"

namespace cg::manager {

/// `tarball` is a registry's; the folder that everything in it lies in is left out. Bounded; `to`
/// is empty. All can be read by everybody, and scripts can be run. The error is one line.
[[nodiscard]] Result<Done, std::string> unpack(std::string_view tarball, const os::Dir& to);

/// A file beneath `to` with these bytes; folders above it are made. As above.
[[nodiscard]] Result<Done, std::string> lay(const os::Dir& to, const std::string& path,
                                            std::string_view bytes);

}  // namespace cg::manager
