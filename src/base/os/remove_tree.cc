// Dir::remove_tree(): beneath descriptors all the way down, so that a link is removed and
// never followed.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "base/os/dir.h"

namespace cg::os {

namespace {

constexpr std::size_t kMaxDepth = 200;
constexpr std::size_t kMaxEntries = 1'000'000;

Result<Done, Error> empty(const Dir& dir, std::size_t depth) {
  if (depth == kMaxDepth) return fail(Error{Error::Kind::too_big, dir.path(), 0});
  CG_TRY_ASSIGN(const std::vector<Entry> entries, dir.entries(kMaxEntries));
  for (const Entry& entry : entries) {
    const bool folder = entry.type == FileInfo::Type::folder;
    if (folder) {
      CG_TRY_ASSIGN(const Dir inner, dir.open_dir(entry.name));
      CG_TRY(empty(inner, depth + 1));
    }
    const int flags = folder ? AT_REMOVEDIR : 0;
    if (unlinkat(dir.fd().get(), entry.name.c_str(), flags) != 0 && errno != ENOENT) {
      return fail(from_errno(errno, dir.path_of(entry.name)));
    }
  }
  return Done{};
}

}  // namespace

Result<Done, Error> Dir::remove_tree(const std::string& name) const {
  {
    const auto tree = open_dir(name);
    if (!tree && tree.error().kind == Error::Kind::not_found) return Done{};
    if (!tree) return fail(tree.error());
    CG_TRY(empty(*tree, 0));
  }
  if (unlinkat(fd_.get(), name.c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT) {
    return fail(from_errno(errno, path_of(name)));
  }
  return Done{};
}

}  // namespace cg::os
