// Why a process could not be sealed. There is no "partly": whoever gets one of
// these ends, or goes on as a process that was never sealed.
#pragma once

#include <string>

namespace cg::seal {

struct Error {
  enum class Stage {
    filter_rule,   // a rule names no system call, or one argument twice
    filter_build,  // libseccomp could not make a program of the rules
    descriptors,
    dumpable,
    limits,
    capabilities,
    no_new_privileges,
    landlock,  // the kernel has it, and it failed
    filter_load,
  };
  Stage stage;
  int code = 0;        // errno, 0 where there is none
  std::string detail;  // the rule, limit or path
};

[[nodiscard]] std::string describe(const Error& error);

}  // namespace cg::seal
