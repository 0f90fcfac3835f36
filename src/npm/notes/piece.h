// Piece: what is asked for, and what comes back, as values; and the limits of reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "npm/semver/version.h"

namespace cg::notes {

struct Wanted {
  std::string package;
  semver::Version from;
  semver::Version to;
  std::vector<std::string> names;  // exports, members and options that are used
};

/// Lines of one file in their order: headings, and beneath them what was chosen. "…" stands where
/// something was left out. Always UTF-8 with "\n"; links are without their addresses and
/// tables without padding, all else is as it was written.
struct Piece {
  enum class Kind : std::uint8_t {
    migration,  // how to get from one version to another
    breaking,   // what was removed, renamed, or is different
    section,    // of a changelog: all else
    usage,      // how the names are used, as of the new version
  };
  std::string file;
  std::size_t line = 1;  // of its first line
  std::string text;
  Kind kind = Kind::section;
};
[[nodiscard]] std::string_view name(Piece::Kind kind);

struct Notes {
  std::vector<Piece> pieces;          // the most important first
  std::size_t left_out = 0;           // parts that would have been shown, had there been room
  std::vector<std::string> not_read;  // files of which only the beginning was read, or nothing
};

/// Path in the package to text.
using Files = std::map<std::string, std::string, std::less<>>;

inline constexpr std::size_t kMaxDocument = 6U << 20U;    // bytes of one file that are read
inline constexpr std::size_t kMaxDocuments = 16U << 20U;  // and of all
inline constexpr std::size_t kMaxLines = 400'000;         // of one file
inline constexpr std::size_t kMaxPieces = 8192;  // bytes of all texts together: the usual cap

}  // namespace cg::notes
