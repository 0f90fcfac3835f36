// What keeps a text from being a packument.
#pragma once

#include <cstddef>
#include <string>

namespace cg::registry {

inline constexpr std::size_t kMaxPackumentBytes = 96U << 20U;
inline constexpr std::size_t kMaxReleases = 100'000;

struct PackumentError {
  enum class Kind {
    too_large,
    syntax,       // not JSON, or not our lines
    shape,        // JSON, but no packument
    name,         // of another package than the one asked for
    unpublished,  // there was one, and its owner took all of it back
  };
  Kind kind;
  std::string what;  // one line, printable
};

}  // namespace cg::registry
