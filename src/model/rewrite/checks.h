// Checks: what in a source decides whether it, or what it uses, is right.
#pragma once

#include "model/rewrite/item.h"
#include "model/rewrite/origins.h"

namespace cg::rewrite {

/// Assertions and errors that are thrown, each with the way that leads to it; and orders to
/// compilers, linters and other tools.
[[nodiscard]] Items check_items(const File& file, const Origins& origins, Work& work);

}  // namespace cg::rewrite
