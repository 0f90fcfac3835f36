// gzip and zstd: one packed stream to one stream of bytes.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/archive/error.h"
#include "base/base/result.h"

namespace cg::archive {

/// Takes the output piece by piece, at most 256 KiB each.
using Sink = std::function<Next(std::string_view piece)>;

/// RFC 1952, one or several members; every checksum is checked, but only after the
/// pieces of its member were handed out: act on them when this has returned. Bytes
/// after the last member are refused. Ends early and well if the sink says stop.
[[nodiscard]] Result<Done, Error> gunzip(std::string_view packed, const Limits& limits,
                                         const Sink& sink);
[[nodiscard]] Result<std::string, Error> gunzip(std::string_view packed, const Limits& limits = {});

/// RFC 8878, one or several frames, skippable ones skipped; windows up to 128 MiB,
/// no dictionaries. The rest as for gunzip().
[[nodiscard]] Result<Done, Error> unzstd(std::string_view packed, const Limits& limits,
                                         const Sink& sink);
[[nodiscard]] Result<std::string, Error> unzstd(std::string_view packed, const Limits& limits = {});

/// One frame with content size and checksum. The same bytes give the same frame for
/// as long as the library stays the same. `level` is 1 to 19.
[[nodiscard]] std::string zstd_compress(std::string_view bytes, int level = 9);

}  // namespace cg::archive
