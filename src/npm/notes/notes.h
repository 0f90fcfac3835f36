// Notes: what the authors of a package say about the way from one version to another.
//
// Read are the documents of the new version: changelogs, guides to upgrading, the README. Of
// changelogs and guides the sections between the two versions count, wherever they stand; of the
// README what it says about older versions, and examples of the names that are used. What breaks
// comes first. All of it is text that strangers wrote: who shows it must scan and fence it.
//
// Bounded in bytes, lines and names; takes time in proportion to the text; the same files give the
// same pieces.
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
/// something was left out. Always UTF-8 with "\n"; links are without their addresses, all else is
/// as it was written.
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

/// Files that are no documents are not looked at. The texts of all pieces together have at most
/// `cap` bytes, about a third of which is kept for examples if there are any.
[[nodiscard]] Notes find_notes(const Files& files, const Wanted& wanted,
                               std::size_t cap = kMaxPieces);

/// By its path: a changelog, a guide to upgrading, or a README. For who unpacks a package.
[[nodiscard]] bool is_document(std::string_view path);

}  // namespace cg::notes
