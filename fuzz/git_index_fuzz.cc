// Whatever the bytes, git's index names no empty or endless path, and not more than it has room
// for.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/base/assert.h"
#include "flow/repository/git_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cg::repository;
  constexpr std::size_t kLeastEntry = 62;
  std::size_t entries = 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto read = read_git_index(bytes, [&](const IndexEntry& entry) {
    CG_ASSERT(!entry.path.empty() && entry.path.size() <= kMaxIndexPath);
    CG_ASSERT(entry.path.find('\0') == entry.path.npos);
    ++entries;
  });
  CG_ASSERT(entries <= size / kLeastEntry);
  CG_ASSERT(read || !read.error().empty());
  return 0;
}
