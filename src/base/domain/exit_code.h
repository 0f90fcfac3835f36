// The one table of exit codes. Help, man pages, documents and tests are made
// from exit_codes.def; a fleet decides by these numbers what to do next.
#pragma once

#include <string_view>
#include <vector>

namespace cg {

enum class ExitCode : int {
#define CG_EXIT(number, name, meaning, reaction) name = number,
#include "base/domain/exit_codes.def"
#undef CG_EXIT
};

struct ExitCodeRow {
  int number;
  std::string_view name;
  std::string_view meaning;
  std::string_view reaction;
};

[[nodiscard]] const std::vector<ExitCodeRow>& exit_code_table();

}  // namespace cg
