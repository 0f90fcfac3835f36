// Check: whether all names of a written text mean what they should.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "learn/carry/source.h"

namespace cg::carry {

/// A text, and which of its bytes are those of another one. The rest is new.
struct Written {
  struct Copy {
    std::uint32_t at = 0;
    std::uint32_t from = 0;
    std::uint32_t size = 0;
  };
  std::string text;
  std::vector<Copy> copies;  // in order
};

/// A name that was copied is declared where it was before. One that is new is declared by what is
/// new, if the template introduces it, or else nowhere in the file. What is brought in is used, and
/// nobody waits in a function that cannot.
[[nodiscard]] Result<Done, Refusal> check(const Source& old, const Written& written,
                                          const Template& from, const File& file);

}  // namespace cg::carry
