// Site: where steps are run, and what one who is about to run there found to be true of itself.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jail/inside/groups.h"

namespace cg::inside {

/// How the place was furnished, and what is left to do for each step.
struct Site {
  std::string filter;                 // the payload's filter, as the kernel takes it
  bool namespaces = true;             // process namespace of its own, with /proc
  std::optional<unsigned> become;     // user and group to change to; none: already is
  std::vector<std::string> hidden;    // folders that are covered for a step
  std::string work = "/tree";         // what /tree is called here
  std::string scratch = "/.scratch";  // where trees of single steps are made; hidden too
  std::string branch;                 // of the repository that a tree of a step's own is
  std::string shelf_program;          // empty: there is no shelf
  std::string shelf_folder;
  std::shared_ptr<const Groups> groups;  // none: no cgroups
};

/// Of all of these: nothing, or what failed and errno.
struct Refused {
  const char* layer = nullptr;
  int code = 0;
};

/// What a payload found to be true of itself, sealed.
struct SelfReport {
  bool own_processes = false;  // it is alone with its init
  bool no_new_privileges = false;
  bool no_capabilities = false;
  bool filter = false;
  bool watched = false;  // the trace's listener is there
  int landlock = 0;      // ABI; 0: not in force
};

}  // namespace cg::inside
