// A Dockerfile that parses names stages that exist, on lines that exist, in UTF-8.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/base/assert.h"
#include "base/base/text.h"
#include "flow/repository/dockerfile.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cg::repository;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  const auto file = parse_dockerfile(text);
  if (!file) {
    CG_ASSERT(file.error().line <= lines);
    CG_ASSERT(file.error().what.size() < 1000);
    return 0;
  }
  for (std::size_t i = 0; i < file->stages.size(); ++i) {
    const Stage& stage = file->stages[i];
    CG_ASSERT(stage.line >= 1 && stage.line <= lines);
    CG_ASSERT(!stage.base || *stage.base < i);
    CG_ASSERT(cg::is_utf8(stage.image) && cg::is_utf8(stage.name) && cg::is_utf8(stage.platform));
    CG_ASSERT(!file->origin(stage).base);
  }
  for (const CopySource& copy : file->copies) CG_ASSERT(copy.line >= 1 && copy.line <= lines);
  return 0;
}
