// What a file is, by how it begins.
#pragma once

#include <string_view>

namespace cg::archive {

enum class Format { gzip, zstd, zip, tar, json, other };

/// Looks at the first bytes alone; that the rest keeps the promise is for the
/// readers to find out. `json` is text whose first character is a brace or bracket,
/// so JSON lines count as JSON.
[[nodiscard]] Format detect(std::string_view bytes);

[[nodiscard]] std::string_view name(Format format);

}  // namespace cg::archive
