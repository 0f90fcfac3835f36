// Cell: the processes of one step, made ready before it is known what they will execute.
//
//   server ── init (process 1 of the step's namespace, nothing left to lose)
//               └── payload (waits to be told what to become, then is that)
//
// Everything is given up, and what is left is looked up, before the step's command line is
// read: what SelfReport says was true of the very process that then executes it. When the
// payload ends, init ends, and with it the namespace and all that is in it.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/base/result.h"
#include "base/os/fd.h"
#include "jail/inside/site.h"
#include "jail/sandbox/chamber.h"

namespace cg::inside {

struct OwnTree;

struct Cell {
  pid_t pid = -1;  // of init
  os::Fd process;  // pidfd of it
  os::Fd control;  // to and from init
  os::Fd orders;   // to the payload
  os::Fd out;
  os::Fd err;
  os::Fd listener;  // not open: not watched
  SelfReport report;
  std::optional<Group> group;
};

/// A cell that waits for orders, with the shared tree or one of its own. Error::setup names the
/// layer.
[[nodiscard]] Result<Cell, sandbox::Error> make_cell(const Site& site, const OwnTree* own);

/// Tells the payload what to become. False: it is gone.
[[nodiscard]] bool order(const Cell& cell, const sandbox::Step& step);

/// What init says at last.
struct Ended {
  int status = 0;  // of the payload, as wait() has it
};
/// Nothing if what came is something else.
[[nodiscard]] std::optional<Ended> read_ended(const Cell& cell);
/// Asks init to send SIGTERM to the payload's group.
void ask_to_end(const Cell& cell);
/// Kills whatever is in the cell. It has still to be waited for.
void kill_all(const Cell& cell);

/// Starts `argv` as process 1 of a namespace of its own, sealed like a payload, with the
/// two descriptors as input and output; for the shelf.
[[nodiscard]] Result<os::Fd, sandbox::Error> start_sealed(const Site& site,
                                                          const std::vector<std::string>& argv,
                                                          const os::Fd& input, const os::Fd& output,
                                                          pid_t& pid);

}  // namespace cg::inside
