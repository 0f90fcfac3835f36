#include "base/domain/exit_code.h"

namespace cg {

const std::vector<ExitCodeRow>& exit_code_table() {
  static const std::vector<ExitCodeRow> table = {
#define CG_EXIT(number, name, meaning, reaction) {number, #name, meaning, reaction},
#include "base/domain/exit_codes.def"
#undef CG_EXIT
  };
  return table;
}

}  // namespace cg
