// A diff that parses is written, and parses again to the same patch; applying one
// to any text gives a text or an error.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/base/assert.h"
#include "base/json/diff.h"

namespace {

using namespace cg::json;

/// The smallest text that fits the patch: its old lines, with filler between.
std::string original_of(const FilePatch& file) {
  std::string out;
  std::size_t lines = 0;
  for (const Hunk& hunk : file.hunks) {
    for (; lines < hunk.lines_before(); ++lines) out += "filler\n";
    for (const DiffLine& line : hunk.lines) {
      if (!line.is_old()) continue;
      out += line.text;
      if (line.end == DiffLine::End::newline) out += '\n';
      ++lines;
    }
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto patch = parse_diff(text);
  if (!patch) {
    CG_ASSERT(describe(patch.error()).size() < 1000);
    return 0;
  }
  const auto again = parse_diff(write_diff(*patch));
  CG_ASSERT(again && *again == *patch);
  for (const FilePatch& file : patch->files) {
    static_cast<void>(apply_patch(file, text));
    constexpr std::size_t kReasonable = 10'000;
    if (file.hunks.back().old_start > kReasonable) continue;
    CG_ASSERT(apply_patch(file, original_of(file)));
  }
  return 0;
}
