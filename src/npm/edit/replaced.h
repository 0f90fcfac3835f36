// For the tests of this module: a text with one place in it changed.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace cg::edit::samples {

/// The first `from`, which must be there.
inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) ADD_FAILURE() << "no " << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace cg::edit::samples
