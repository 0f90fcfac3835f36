#include "base/domain/tool.h"

namespace cg {

std::string tool_name() { return std::string("codegenie ") + CG_VERSION; }

}  // namespace cg
