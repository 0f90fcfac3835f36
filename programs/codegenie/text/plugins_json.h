// The plugins of this program, as the plugins commands show them.
#pragma once

#include "fix/plugin/load.h"
#include "report.h"

namespace cg::program {

/// `codegenie/plugins/v1`
[[nodiscard]] json::Value plugins_json(const plugin::Plugins& plugins);

}  // namespace cg::program
