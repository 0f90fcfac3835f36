// What a process of a cell gives up.
#pragma once

#include <string>

#include "jail/inside/site.h"

namespace cg::inside {

struct OwnTree;

/// /proc, the step's own tree if it has one, and what is hidden.
[[nodiscard]] Refused own_view(const Site& site, const OwnTree* own);
[[nodiscard]] Refused drop_everything(const Site& site);  // ids, capabilities, privileges
[[nodiscard]] Refused load_filter(const std::string& program, bool watched, int& listener);

/// `program` of a filter, with every "report to a supervisor" made "allow".
[[nodiscard]] std::string untraced(std::string program);

}  // namespace cg::inside
