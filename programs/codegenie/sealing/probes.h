// self-check egress: what the sealed process can really do, found out by trying.
#pragma once

#include <vector>

#include "checks.h"
#include "sealing/seal.h"

namespace cg::program {

/// In rings, from the inside out: seccomp, reports, Landlock, namespaces, libraries. A ring
/// that does not hold although it claims to is a failure; one that this kernel does not have
/// is a warning. Takes the refusals that the attempts caused.
[[nodiscard]] std::vector<Finding> check_egress(const Seal& seal);

}  // namespace cg::program
