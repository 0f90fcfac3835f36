// The registry as `remediate` and `registry` meet it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "access.h"
#include "fetch/catalog/catalog.h"
#include "flow/cli/config.h"
#include "flow/cli/parse.h"

namespace cg::program {

struct RegistryWish {
  catalog::Mode mode = catalog::Mode::online;  // --offline
  std::string registry;                        // --registry URL; empty if it was not given
};

/// The packages that npm here would install for the repository in `repo` (may be empty).
/// `access` must outlive the catalog. Fails if npm's configuration cannot be used, if no
/// registry is known, or if the repository wants another one (CG-REG-002). Asks nobody yet.
///
/// When done, look at Catalog::damage() before anything else.
[[nodiscard]] Result<std::unique_ptr<catalog::Catalog>, Problem> open_catalog(
    const Access& access, const cli::Settings& settings, const RegistryWish& wish,
    const cli::Environment& environment, const std::string& repo);

/// Catalog::prefetch() with a line of progress.
void prefetch(catalog::Catalog& catalog, const std::vector<std::string>& names,
              const cli::Invocation& invocation, const Session& session);

}  // namespace cg::program
