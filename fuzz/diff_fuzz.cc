// A diff that parses is written, and parses again to the same patch; applying one
// to any text gives a text or an error. So it is with a loose one, which is placed
// in the text that it came as, and in its own old lines; what came of it is what our
// own diff of it says.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/base/assert.h"
#include "base/json/diff.h"
#include "base/json/placing.h"

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

bool has_place(const FilePatch& file) {
  return std::all_of(file.hunks.begin(), file.hunks.end(),
                     [](const Hunk& hunk) { return hunk.old_count() > 0; });
}

void check_place(const FilePatch& file, std::string_view original) {
  const auto placed = place(file, original);
  if (!placed) {
    const Misplaced& why = placed.error();
    CG_ASSERT(why.hunk >= 1 && why.hunk <= file.hunks.size());
    CG_ASSERT(why.places.size() <= kMaxPlacesTold);
    return;
  }
  const FilePatch own = difference(file.path, original, *placed);
  if (own.hunks.empty()) {
    CG_ASSERT(*placed == original);
    return;
  }
  const auto applied = apply_patch(own, original);
  CG_ASSERT(applied && *applied == *placed);
}

void check_loose(std::string_view text) {
  const auto patch = parse_loose_diff(text);
  if (!patch) {
    CG_ASSERT(describe(patch.error()).size() < 1000);
    return;
  }
  const std::string written = write_diff(*patch);
  const auto again = parse_loose_diff(written);
  CG_ASSERT(again && *again == *patch);
  const auto strict = parse_diff(written, {.max_bytes = written.size()});
  CG_ASSERT(strict && *strict == *patch);
  for (const FilePatch& file : patch->files) {
    if (!has_place(file)) continue;
    check_place(file, text);
    check_place(file, original_of(file));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_loose(text);
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
