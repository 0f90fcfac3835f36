// What a remediation proves its fixes in, as the request and policy have it.
#pragma once

#include <memory>

#include "access.h"
#include "fetch/catalog/tools.h"
#include "flow/workspace/policy.h"
#include "jail/sandbox/chamber.h"
#include "jail/sandbox/jail.h"
#include "remediation/request.h"
#include "session.h"

namespace cg::program {

/// As this process can: through the spawner where there is one.
[[nodiscard]] sandbox::StartJail starting_jails();
[[nodiscard]] Result<sandbox::Jails, sandbox::Error> open_jails();

struct SandboxMeans {
  std::unique_ptr<sandbox::Chambers> chambers;
  catalog::Tools tools;
  std::string scratch = "/tmp";  // inside, for homes and caches
};

/// A Problem if something that it takes is not there, or if policy demands more than the
/// request asks for.
[[nodiscard]] Result<SandboxMeans, Problem> open_sandbox(const RemediationRequest& request,
                                                         const workspace::Policy& policy,
                                                         const Access& access,
                                                         const Session& session);

}  // namespace cg::program
