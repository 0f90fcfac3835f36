// Why the files of a vocabulary cannot be used.
#pragma once

#include <string>

namespace cg::tokenizer {

struct Error {
  std::string what;  // on one line, with names from the file made printable
};

}  // namespace cg::tokenizer
