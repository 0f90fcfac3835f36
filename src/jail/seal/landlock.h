// Landlock: which files and ports a process can still reach.
//
// A belt, not the fence. Its TCP rule knows ports and no addresses, and says
// nothing of UDP, MPTCP or TCP fast open: those the filter (jail/seal/filter.h) has
// to stop. Kernels differ in how much of it they have; Held says what this one did.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/base/result.h"
#include "jail/seal/error.h"

namespace cg::seal {

/// What stays reachable. All else that this kernel's Landlock knows of is denied:
/// every file, every TCP port, abstract sockets, signals to others.
struct Reach {
  std::vector<std::string> readable;         // absolute; what does not exist is passed over
  std::vector<std::uint16_t> connect_ports;  // TCP
  std::vector<std::string> writable;         // folders; plain files and folders in them, all of it
  std::vector<std::string> runnable = {};    // read and execute
  std::vector<std::string> owned = {};       // folders; everything in them but device nodes
  std::vector<std::string> devices = {};     // and those in a folder: read, write, ask by ioctl
  bool limit_tcp = true;                     // false: every port stays reachable
};

/// What is in force. `abi` 0: this kernel has no Landlock, and nothing is.
struct Held {
  int abi = 0;
  bool files = false;
  bool tcp = false;     // from ABI 4, Linux 6.7
  bool scopes = false;  // from ABI 6, Linux 6.12
};

/// The version of this kernel's Landlock, 0 without one.
[[nodiscard]] int landlock_abi();

/// Puts `reach` in force for this process and its children, for good. Needs
/// no_new_privs. A kernel without Landlock is not an error: see Held.
[[nodiscard]] Result<Held, Error> restrict_to(const Reach& reach);

}  // namespace cg::seal
