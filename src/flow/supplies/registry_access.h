// The registry as npm on this machine is configured with it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fetch/catalog/catalog.h"
#include "flow/cli/config.h"
#include "flow/supplies/surroundings.h"
#include "flow/workspace/access.h"

namespace cg::supplies {

struct RegistryWish {
  catalog::Mode mode = catalog::Mode::online;  // --offline
  std::string registry;                        // --registry URL; empty if it was not given
  std::vector<std::string> hosts = {};         // of archives that may be fetched (policy)
};

/// The packages that npm here would install for the repository in `repo` (may be empty).
/// `access` must outlive the catalog. Fails if npm's configuration cannot be used, if no
/// registry is known, or if the repository wants another one (CG-REG-002). Asks nobody yet.
///
/// When done, look at Catalog::damage() before anything else.
[[nodiscard]] Result<std::unique_ptr<catalog::Catalog>, Problem> open_catalog(
    const workspace::Access& access, const Surroundings& surroundings, const RegistryWish& wish,
    const std::string& repo);

/// Catalog::prefetch(), told on the way.
void prefetch(catalog::Catalog& catalog, const std::vector<std::string>& names, Watcher& watcher);

}  // namespace cg::supplies
