// The jail's file system: gathered while the host can be seen, then made the root.
#pragma once

#include <string>
#include <vector>

#include "base/base/result.h"
#include "base/os/fd.h"
#include "jail/sandbox/places.h"
#include "jail/sandbox/wire.h"

namespace cg::inside {

/// Seen by the shelf's program, covered for steps.
inline constexpr const char* kShelf = "/.shelf";
inline constexpr const char* kShelfFolder = "/.shelf/packages";
inline constexpr const char* kShelfProgram = "/.shelf/codegenie-shelf";

/// The scratch file system as a whole, covered for steps, which see parts of it.
inline constexpr const char* kScratch = "/.scratch";

/// A file system, or a part of one, that is not mounted anywhere yet.
struct Loose {
  std::string path;  // inside, where it is to be
  bool folder = true;
  os::Fd fd;
};

/// A new one in memory.
[[nodiscard]] Result<os::Fd, sandbox::Error> new_tmpfs(std::uint64_t bytes, const char* inodes);

/// Everything of the host that the places name. Needs the host's root, and the right to
/// mount.
[[nodiscard]] Result<std::vector<Loose>, sandbox::Error> gather(const sandbox::Furnish& order);

/// The scratch file system with a copy of the tree. Its files belong to who calls.
[[nodiscard]] Result<os::Fd, sandbox::Error> make_scratch(const sandbox::Furnish& order,
                                                          const os::Fd& tree);

/// Puts it all together and makes it the root of the calling process, read-only.
[[nodiscard]] Result<Done, sandbox::Error> enter_root(const sandbox::Furnish& order,
                                                      const std::vector<Loose>& loose,
                                                      const os::Fd& scratch);

[[nodiscard]] sandbox::Error setup_failed(const std::string& layer, int code);

}  // namespace cg::inside
