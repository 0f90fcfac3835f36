// Words: members by which plain values lead to code from text, and members whose names are
// made up.
#pragma once

#include "model/rewrite/file.h"
#include "model/rewrite/item.h"

namespace cg::rewrite {

[[nodiscard]] Items word_items(const File& file, Work& work);

}  // namespace cg::rewrite
