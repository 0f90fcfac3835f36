// Pick: the published version that a wish means, on the node of this machine. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/base/result.h"
#include "fetch/manager/wish.h"
#include "npm/registry/packument.h"

namespace cg::manager {

/// Its place in the packument: the one that was named, or the newest that is in the range, writes
/// such locks and runs on this node; if there is none, one that does not write such locks. The
/// error is one line.
[[nodiscard]] Result<std::size_t, std::string> pick(const registry::Packument& packument,
                                                    const Wish& wish,
                                                    std::string_view node_version);

}  // namespace cg::manager
