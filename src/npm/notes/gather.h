// Gather: the parts of documents that could be shown, each with its weight.
#pragma once

#include <vector>

#include "npm/notes/unit.h"

namespace cg::notes {

/// In the order of the text.
void gather(const std::vector<Source>& sources, const Wanted& wanted, const Names& names,
            std::vector<Unit>& out);

}  // namespace cg::notes
