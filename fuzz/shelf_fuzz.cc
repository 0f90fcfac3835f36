// What the code under test may send to the shelf: whatever is accepted names a path that
// stays inside, and is read the same way again.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/base/assert.h"
#include "base/base/text.h"
#include "jail/shelf/answer.h"

namespace {

using namespace cg::shelf;

void check_path(const std::string& path) {
  if (path.empty()) return;
  CG_ASSERT(path.size() <= kMaxPath);
  for (const std::string_view part : cg::split(path, '/')) {
    CG_ASSERT(!part.empty() && part != "." && part != "..");
    for (const char c : part) CG_ASSERT(c != '\0' && c != '\\' && c != '\r' && c != '\n');
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto path = parse_target(text)) check_path(*path);
  const auto end = head_size(text);
  if (!end) return 0;
  CG_ASSERT(*end <= size && *end < kMaxHead + 4);
  const auto request = parse_request(text.substr(0, *end));
  if (!request) {
    CG_ASSERT(!answer_to(request.error()).keep_alive);
    return 0;
  }
  check_path(request->path);
  return 0;
}
