// Wants: what a stock has to hold, from lockfiles. Not for others than take_stock().
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fetch/catalog/catalog.h"
#include "fetch/catalog/stock.h"
#include "npm/npm/graph.h"
#include "trust/hash/integrity.h"

namespace cg::catalog {

/// One package to be had. `held` is complete but for its tarball.
struct Want {
  Held held;
  std::optional<hash::Integrity> integrity;
  std::string url;                           // to fetch it from, beneath `choice`
  const registry::Choice* choice = nullptr;  // none: `url` is of one of Archives::hosts
  bool optional = true;
  bool pinned = true;  // `integrity` is the lock's word
};

struct Wants {
  std::vector<Want> wants;
  std::vector<Missing> missing;
};

/// Asks `catalog` for the packuments of those whose lock says too little.
[[nodiscard]] Wants find_wants(Catalog& catalog, const std::vector<const npm::Graph*>& graphs,
                               const Catalog::OnProgress& progress);

}  // namespace cg::catalog
