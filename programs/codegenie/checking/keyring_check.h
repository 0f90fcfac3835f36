// self-check keyring: which stores a key can lie in here, whether one for the model does, and
// whether memory for it can be locked. Nothing of a key is shown, not even its fingerprint.
#pragma once

#include <vector>

#include "checks.h"
#include "jail/spawn/host.h"
#include "model/leaf/key_order.h"

namespace cg::program {

/// Asks codegenie-key, which `host` starts; `grants` are what the kernel lets it do.
[[nodiscard]] std::vector<Finding> check_keyring(spawn::Host& host,
                                                 const spawn::KernelGrants& grants);
/// Of what it answered.
[[nodiscard]] std::vector<Finding> keyring_findings(const std::vector<leaf::StoreReport>& places,
                                                    const spawn::KernelGrants& grants);

}  // namespace cg::program
