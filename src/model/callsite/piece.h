// Pieces of a file, and what they take from other files.
#pragma once

#include <compare>
#include <cstddef>
#include <string>

namespace cg::callsite {

/// A piece of the file, byte for byte, with the number of its first line.
struct Piece {
  std::size_t first_line = 1;  // from 1
  std::size_t begin = 0;       // bytes of the file
  std::size_t end = 0;
  std::string text;
};

/// An export of another file of the repository: "./text.js", "clean"; or "default".
struct Taken {
  std::string from;
  std::string name;
  friend auto operator<=>(const Taken&, const Taken&) = default;
};

}  // namespace cg::callsite
