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
#include <string_view>

#include "npm/notes/piece.h"

namespace cg::notes {

/// Files that are no documents are not looked at. The texts of all pieces together have at most
/// `cap` bytes, about a third of which is kept for examples if there are any.
[[nodiscard]] Notes find_notes(const Files& files, const Wanted& wanted,
                               std::size_t cap = kMaxPieces);

/// By its path: a changelog, a guide to upgrading, a README or a manual. For who unpacks a package.
[[nodiscard]] bool is_document(std::string_view path);

}  // namespace cg::notes
