// self-check egress: what the sealed process can really do, found out by trying.
#pragma once

#include <vector>

#include "checks.h"
#include "sealing/seal.h"

namespace cg::program {

/// In rings, from the inside out: seccomp, reports, Landlock, namespaces, libraries, host. A ring
/// that does not hold although it claims to is a failure; one that this kernel does not have
/// is a warning. Takes the refusals that the attempts caused.
[[nodiscard]] std::vector<Finding> check_egress(const Seal& seal);

/// Of the ring around the programs that may open sockets: what the host's own network lets out.
/// That it is not there is a warning.
[[nodiscard]] Finding host_ring(const spawn::Outward& outward);

}  // namespace cg::program
