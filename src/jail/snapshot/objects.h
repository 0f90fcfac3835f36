// What a git repository is made of, as bytes: objects, trees and the index. No I/O.
//
// Only what one commit takes. Objects are loose ones, in the zlib format without compression: they
// are read a few times and thrown away.
#pragma once

#include <sys/stat.h>

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "jail/snapshot/sha1.h"

namespace cg::snapshot {

struct Object {
  Id id;
  std::string bytes;  // of its file
};
/// `type` is "blob", "tree" or "commit".
[[nodiscard]] Object object_of(std::string_view type, std::string_view content);
/// "ab/cdef…": where the file of an object lies in objects/.
[[nodiscard]] std::string place_of(const Id& id);

/// A file or link of a commit.
struct Entry {
  std::string path;  // relative
  Id id{};
  struct stat status {};  // of the file in the work tree
};

/// The trees of these entries, sorted by path, each given to `sink`; gives the topmost.
[[nodiscard]] Id write_trees(std::span<const Entry> entries,
                             const std::function<void(const Object&)>& sink);

/// The index, version 2, of these entries, sorted by path.
[[nodiscard]] std::string write_index(std::span<const Entry> entries);

/// `path` as a line of info/exclude that means it and nothing else.
[[nodiscard]] std::string exclude_line(std::string_view path);

}  // namespace cg::snapshot
