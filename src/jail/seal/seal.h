// seal(): everything a process gives up, in one call that cannot be undone.
//
// Two layers, always: what may be reached (Landlock, an empty network namespace,
// limits) and what may be asked of the kernel (the filter). The second is
// mandatory; of the first, what this kernel cannot give is reported as missing,
// never passed over in silence.
#pragma once

#include <cstdint>
#include <string>

#include "base/base/result.h"
#include "jail/seal/error.h"
#include "jail/seal/filter.h"
#include "jail/seal/landlock.h"

namespace cg::seal {

enum class Network {
  shared,  // that of the parent
  empty,   // a namespace of its own with nothing in it, where it can be had
};

enum class Processes {
  none,     // nor threads
  threads,  // as many as the user may have; what they are is for the filter
};

struct Policy {
  Filter filter;
  Reach reach;
  Network network = Network::empty;
  unsigned max_descriptors = 8;      // numbers 0 … max - 1
  std::uint64_t max_file_bytes = 0;  // that a file may grow to
  Processes processes = Processes::none;
};

/// What is in force. A bool that is false is a layer that is missing. The four
/// that seal() insists on are true in every report it returns.
struct Applied {
  bool no_new_privileges = false;
  bool undumpable = false;
  bool no_capabilities = false;
  bool filter = false;
  bool empty_network = false;
  Held landlock;
};

/// First thing in main(): descriptors from `first` on are closed, the process
/// becomes undumpable and leaves no core file.
[[nodiscard]] Result<Done, Error> shed(unsigned first);

/// In this order: namespace, Landlock, limits (file size, processes, few
/// descriptors), capabilities, filter. After an error the process must end: it
/// may be sealed in part.
///
/// Can be called again with a stricter policy, if the first filter allows the
/// calls that this takes (sealing_calls()).
[[nodiscard]] Result<Applied, Error> seal(const Policy& policy);

/// What a filter must allow for a later seal().
[[nodiscard]] std::vector<Rule> sealing_calls();

/// "no_new_privs undumpable no_caps seccomp landlock(abi 7: files tcp scopes) netns".
/// What is missing is written with a leading minus.
[[nodiscard]] std::string describe(const Applied& applied);

}  // namespace cg::seal
