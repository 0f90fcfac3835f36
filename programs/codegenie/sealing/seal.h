// Sealing codegenie: what it gives up for good before it reads anything of others.
//
// Order: the spawner is forked, then this process leaves the network, names the files it can
// still reach, drops its capabilities and loads its filter. From here on it opens no socket,
// starts no process, and every file is opened by openat2.
#pragma once

#include <memory>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "commands.h"
#include "flow/cli/parse.h"
#include "jail/seal/landlock.h"
#include "jail/spawn/host.h"
#include "session.h"

namespace cg::program {

/// What holds this process. The filter is not among it: without one there is no Seal.
struct Seal {
  std::unique_ptr<spawn::Host> host;
  seal::Held landlock;
  bool reports = false;        // a refused socket call is noted by the spawner
  bool empty_network = false;  // a network namespace of its own
  std::string network_detail;  // why not
};

/// Fails with CG-SEAL-001, which names the layer that is missing. The process may be sealed
/// in part then, and must end.
[[nodiscard]] Result<Seal, Problem> seal_program(const Entry& entry,
                                                 const cli::Invocation& invocation,
                                                 Session& session);

/// "connect", "AF_INET, SOCK_STREAM": a refused call in words.
struct RefusedCall {
  std::string call;
  std::string detail;
};
[[nodiscard]] RefusedCall describe(const spawn::Refusal& refusal);

}  // namespace cg::program
