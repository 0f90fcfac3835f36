// Cell: the processes of one step, made ready before it is known what they will execute.
//
//   server ── init (process 1 of the step's namespace, nothing left to lose)
//               └── payload (waits to be told what to become, then is that)
//
// Everything is given up, and what is left is looked up, before the step's command line is
// read: what Facts says was true of the very process that then executes it. When the
// payload ends, init ends, and with it the namespace and all that is in it.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/base/result.h"
#include "base/os/fd.h"
#include "jail/sandbox/chamber.h"
#include "jail/sandbox/groups.h"

namespace cg::sandbox {

/// Where steps are run: how it was furnished, and what is left to do for each.
struct Site {
  std::string filter;               // the payload's filter, as the kernel takes it
  bool namespaces = true;           // process namespace of its own, with /proc
  std::optional<unsigned> become;   // user and group to change to; none: already is
  std::vector<std::string> hidden;  // folders that are covered for a step
  std::string work = "/tree";       // what /tree is called here
  mutable bool used = false;        // a cell was made here before
  std::string shelf_program;        // empty: there is no shelf
  std::string shelf_folder;
  std::shared_ptr<const Groups> groups;  // none: no cgroups
};

/// What a payload found to be true of itself, sealed.
struct Facts {
  bool own_processes = false;  // it is alone with its init
  bool no_new_privileges = false;
  bool no_capabilities = false;
  bool filter = false;
  bool watched = false;  // the trace's listener is there
  int landlock = 0;      // ABI; 0: not in force
};

struct Cell {
  pid_t pid = -1;  // of init
  os::Fd process;  // pidfd of it
  os::Fd control;  // to and from init
  os::Fd orders;   // to the payload
  os::Fd out;
  os::Fd err;
  os::Fd listener;  // not open: not watched
  Facts facts;
  std::optional<Group> group;
};

/// A cell that waits for orders. Error::setup names the layer.
[[nodiscard]] Result<Cell, Error> make_cell(const Site& site);

/// Tells the payload what to become. False: it is gone.
[[nodiscard]] bool order(const Cell& cell, const Step& step);

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

/// `program` of a filter, with every "report to a supervisor" made "allow".
[[nodiscard]] std::string untraced(std::string program);

/// Starts `argv` as process 1 of a namespace of its own, sealed like a payload, with the
/// two descriptors as input and output; for the shelf.
[[nodiscard]] Result<os::Fd, Error> start_sealed(const Site& site,
                                                 const std::vector<std::string>& argv,
                                                 const os::Fd& input, const os::Fd& output,
                                                 pid_t& pid);

}  // namespace cg::sandbox
