// RecipeError: what is wrong with a file of a plugin.
#pragma once

#include <cstddef>
#include <string>

namespace cg::recipe {

struct RecipeError {
  std::string what;      // one line, printable
  std::size_t line = 0;  // 0: of the whole file, or of no file
};

}  // namespace cg::recipe
