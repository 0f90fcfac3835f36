// Span: a part of a text.
#pragma once

#include <cstddef>

namespace cg::canary {

/// Bytes of the text as given, end excluded; on code point boundaries where the text is UTF-8.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
  friend bool operator==(const Span&, const Span&) = default;
};

}  // namespace cg::canary
