// What every reader of this module takes at most, and how it says no.
//
// An archive is the classic way to hand somebody more than they asked for: bytes
// that unpack to a thousand times their size, names that climb out of a folder,
// entries that lie on top of each other. All of it is refused while reading, and
// sizes are checked before memory is taken for them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/base/result.h"

namespace cg::archive {

/// What a reader accepts at most. The ratio counts only beyond `free_output` bytes,
/// because a short run of zeros packs better than anything that matters.
struct Limits {
  std::uint64_t max_output = 2ULL << 30U;  // bytes in all
  std::uint64_t max_ratio = 250;           // output per byte of input
  std::uint64_t free_output = 1U << 20U;
  std::uint64_t max_entries = 1'000'000;
  std::uint64_t max_entry = 256ULL << 20U;  // bytes of one entry; never above 4 GiB
  std::size_t max_name = 1024;
};

/// Why an archive is not read any further, and where. One kind per thing that a
/// person may want to look at differently; the words are made once, in describe().
struct Error {
  enum class Kind {
    other_format,      // does not start, or end, as this format does
    truncated,         // the bytes stop before the archive does
    damaged,           // a field contradicts the format or another field
    checksum,          // the content is not what its checksum says
    output_too_large,  // more bytes in all than Limits::max_output
    ratio_too_high,    // a bomb
    too_many_entries,
    entry_too_large,
    unsafe_name,  // absolute, climbing, not UTF-8, control characters, too long
    duplicate_name,
    overlap,  // two entries share bytes
    encrypted,
    unsupported,  // another compression, several disks, a sparse file
    trailing_data,
  };
  Kind kind;
  std::uint64_t offset = 0;  // in the input
  std::string entry = {};    // its name as far as it is known, made printable
  friend bool operator==(const Error&, const Error&) = default;
};

/// "ratio too high (a bomb) at byte 1024, entry `a/b`".
[[nodiscard]] std::string describe(const Error& error);

/// What a callback wants next.
enum class Next { more, stop };

/// One regular file of an archive. The views live as long as the call.
struct Entry {
  std::string_view name;
  std::string_view content;
  std::uint64_t offset = 0;  // of its header in the input
};
using OnEntry = std::function<Next(const Entry&)>;

/// What a reader saw. Folders, links and devices are never handed out.
struct Counts {
  std::uint64_t files = 0;
  std::uint64_t skipped = 0;
  friend bool operator==(const Counts&, const Counts&) = default;
};

/// True for a relative path in UTF-8 that stays where it is put: no empty part, no
/// "." or "..", no backslash, no control character, no drive letter.
[[nodiscard]] bool is_safe_name(std::string_view name, const Limits& limits);

/// True if `output` bytes from `input` bytes are more than the ratio allows.
[[nodiscard]] bool is_bomb(std::uint64_t input, std::uint64_t output, const Limits& limits);

}  // namespace cg::archive
