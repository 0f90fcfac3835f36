// Check: whether a written text is read as it was written, and its names mean what they should.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "learn/carry/source.h"

namespace cg::carry {

/// A text, which of its bytes are those of another one, the rest is new; and as what each piece of
/// it was written: the nodes that stay, those of the rules, those that holes took.
struct Written {
  struct Copy {
    std::uint32_t at = 0;
    std::uint32_t from = 0;
    std::uint32_t size = 0;
  };
  struct Piece {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    Kind kind = Kind::other;
    friend auto operator<=>(const Piece&, const Piece&) = default;
  };
  std::string text;
  std::vector<Copy> copies;   // in order
  std::vector<Piece> pieces;  // in none; without comments
};

/// The text is read as those pieces and no others: no operator takes a part of what a hole took, no
/// line goes on with the next one. A name that was copied is declared where it was before. One that
/// is new is declared by what is new, if the template introduces it, or else nowhere in the file.
/// What is brought in is used, and nobody waits in a function that cannot.
[[nodiscard]] Result<Done, Refusal> check(const Source& old, const Written& written,
                                          const Template& from, const File& file);

}  // namespace cg::carry
