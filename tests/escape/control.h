// Control: an act without any chamber, to show that it would work where nothing stands in
// its way. A chamber that refuses what cannot be done anyway has shown nothing.
#pragma once

#include <string>

#include "acts.h"
#include "host.h"

namespace cg::escape {

/// How the act ended, as outcome() says it. It is run by a process of its own, which an act
/// may trace or limit, in a copy of the tree.
[[nodiscard]] std::string run_without_chamber(const Act& act, Host& host);

}  // namespace cg::escape
