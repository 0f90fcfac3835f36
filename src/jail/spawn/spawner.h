// The spawner: a small process that was there before its parent sealed itself, and starts
// for it what the parent no longer can.
//
// It reads nothing but requests of fixed size (jail/spawn/protocol.h) and starts nothing but the
// programs of that closed set. It kills what it started, waits for it and ends when the
// parent is gone, however it went. It cannot be sealed as the parent is, since a filter
// would be inherited by what it starts; its fence is that it understands so little.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "base/base/result.h"
#include "base/os/error.h"
#include "base/os/fd.h"

namespace cg::spawn {

/// Where the programs are. Nothing is looked up in PATH.
struct Places {
  std::vector<std::string> folders;  // the first that has the program
  std::string gpg = "/usr/bin/gpg";
  std::vector<std::string> gpg_env;  // "NAME=value": all that gpg gets
  std::vector<std::string> key_env;  // the same for codegenie-key: how the key stores are found
  int ci_key = -1;                   // the spawner's own: codegenie-key gets it as descriptor 3
};
/// As base/os/own_programs.h has it.
[[nodiscard]] Result<Places, os::Error> places_of_this_program();

/// How many calls were refused and not yet told, in memory that both processes see: asking
/// costs nothing where there was nothing. It is right as soon as the refused call returns.
using Refused = std::atomic<std::uint32_t>;

/// All of the spawner's life, on its end of the pair. Closes every other descriptor but that
/// of the key that CI gave us, if there is one.
[[noreturn]] void serve(os::Fd socket, os::Fd ci_key, Places places, Refused* refused);

}  // namespace cg::spawn
