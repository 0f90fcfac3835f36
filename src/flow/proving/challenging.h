// What a tree's own tests and sources are made into, so that whoever judges them has something to
// find (prove/challenge).
#pragma once

#include <cstdint>
#include <string>

#include "prove/gate/trial.h"

namespace cg::proving {

/// Of the files in `tree`, a folder of the host. The same for the same files and `draw`. Reads what
/// it can: a file that cannot be read is left out.
[[nodiscard]] gate::Challenge challenge_of(const std::string& tree, const gate::Checks& checks,
                                           std::uint64_t draw);

}  // namespace cg::proving
