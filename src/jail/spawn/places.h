// Places: where the programs are that the spawner starts.
#pragma once

#include <string>
#include <vector>

#include "base/base/result.h"
#include "base/os/error.h"

namespace cg::spawn {

/// Nothing is looked up in PATH.
struct Places {
  std::vector<std::string> folders;  // the first that has the program
  std::string gpg = "/usr/bin/gpg";
  std::vector<std::string> gpg_env;  // "NAME=value": all that gpg gets
  std::vector<std::string> key_env;  // the same for codegenie-key: how the key stores are found
  int ci_key = -1;                   // the spawner's own: codegenie-key gets it as descriptor 3
};
/// As base/os/own_programs.h has it.
[[nodiscard]] Result<Places, os::Error> places_of_this_program();

}  // namespace cg::spawn
