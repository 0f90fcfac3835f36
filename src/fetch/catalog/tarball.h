// Takes a stock: the packages of lockfiles, each one the bytes that its lock means.
//
// From the cache where it has them, else from the operator's registry: the host that a
// lock names is asked only if the operator named it too (Archives), and told no credentials. What
// the lock says of the bytes is checked before they are kept and whenever they are used. What
// cannot be had is listed, and whoever installs decides what that means.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fetch/catalog/catalog.h"
#include "fetch/catalog/stock.h"
#include "npm/npm/graph.h"
#include "npm/semver/version.h"

namespace cg::catalog {

struct StockOptions {
  std::uint64_t max_each = kMaxTarballBytes;
  std::uint64_t max_fetched = 8ULL << 30U;   // of all that this call fetches
  std::chrono::milliseconds limit{300'000};  // for one
  unsigned parallel = 8;
};

/// Every package of `graphs` that comes from a registry, or may be fetched from elsewhere. Asks
/// through the fetchers of `catalog`, and asks nobody where that is offline. A damaged file in the
/// cache is a Problem of exit code 4 that names it.
[[nodiscard]] Result<Stock, Problem> take_stock(Catalog& catalog,
                                                const std::vector<const npm::Graph*>& graphs,
                                                const StockOptions& options = {},
                                                const Catalog::OnProgress& progress = {});

/// The bytes of one published version, as its packument pins them: from the cache, or from the
/// registry on their way into it. Nothing if they cannot be had; damage as above.
[[nodiscard]] Result<std::optional<std::string>, Problem> read_tarball(
    Catalog& catalog, std::string_view name, const semver::Version& version,
    const StockOptions& options = {});

}  // namespace cg::catalog
