// Given: what the names of a file are given, so that what is behind one can be compared.
#pragma once

#include <vector>

#include "model/rewrite/file.h"

namespace cg::rewrite {

struct Given {
  using Lists = std::vector<std::vector<Index>>;  // expressions by number of Scopes::bindings()
  /// Besides the first value: by assignments, as defaults, by loops, by another declaration.
  Lists to;
  /// What is done to what it holds: writes to members, methods that are called for what they do.
  Lists done;
};
[[nodiscard]] Given given_in(const File& file);

}  // namespace cg::rewrite
