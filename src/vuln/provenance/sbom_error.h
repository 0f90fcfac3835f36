// SbomError: what is wrong with a text that should be an SBOM.
#pragma once

#include <cstddef>
#include <string>

#include "base/json/value.h"

namespace cg::provenance {

inline constexpr std::size_t kMaxSbomBytes = 128U << 20U;
inline constexpr std::size_t kMaxPieceBytes = 4U << 20U;

struct SbomError {
  enum class Kind {
    too_large,
    syntax,
    unknown_format,
    version,  // of a known format, but not one that is read
    shape,
  };
  Kind kind;
  json::Position at;
  std::string what;  // one line, printable
};

}  // namespace cg::provenance
