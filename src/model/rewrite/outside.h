// Outside: every use of what is not the file's own.
#pragma once

#include "model/rewrite/item.h"
#include "model/rewrite/origins.h"

namespace cg::rewrite {

/// Globals, modules, writes to them, and the calls with what they are given.
[[nodiscard]] Items outside_items(const File& file, const Origins& origins,
                                  std::string_view package, Work& work);

}  // namespace cg::rewrite
