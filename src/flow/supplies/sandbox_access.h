// What a remediation proves its fixes in, as the request and policy have it.
#pragma once

#include <memory>

#include "fetch/catalog/tools.h"
#include "flow/job/request.h"
#include "flow/supplies/surroundings.h"
#include "flow/workspace/access.h"
#include "jail/sandbox/chamber.h"
#include "jail/sandbox/jail.h"

namespace cg::supplies {

/// As this process can: through the spawner where there is one.
[[nodiscard]] sandbox::StartJail starting_jails();
[[nodiscard]] Result<sandbox::Jails, sandbox::Error> open_jails();

struct Sandbox {
  std::unique_ptr<sandbox::Chambers> chambers;
  catalog::Tools tools;
  std::string scratch = "/tmp";  // inside, for homes and caches
  job::Place place = job::Place::userns;
  std::uint64_t memory =
      0;  // bytes that a step may take: of policy, as far as the machine has them
};

/// A Problem if something that it takes is not there, or if policy demands more than the
/// request asks for.
[[nodiscard]] Result<Sandbox, Problem> open_sandbox(const job::Request& request,
                                                    const workspace::Policy& policy,
                                                    const workspace::Access& access,
                                                    const Surroundings& surroundings);

}  // namespace cg::supplies
