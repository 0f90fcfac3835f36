// zip: many small files in one, as feeds of advisories are published.
#pragma once

#include <functional>
#include <string_view>

#include "base/archive/error.h"
#include "base/base/result.h"

namespace cg::archive {

/// Asked before an entry is unpacked; what is not wanted costs nothing and counts as
/// skipped.
using Wanted = std::function<bool(std::string_view name)>;

/// Hands out the files in the order of the central directory, which is checked as a
/// whole before the first (zip_directory.h says for what). A stored entry is a view
/// into `bytes`; a deflated one is unpacked into one buffer that all entries share.
/// CRC and size are checked before an entry is handed out.
[[nodiscard]] Result<Counts, Error> read_zip(std::string_view bytes, const Limits& limits,
                                             const OnEntry& on_entry, const Wanted& wanted = {});

}  // namespace cg::archive
