// Stock: the packages of lockfiles as files, each one the bytes that its lock means.
//
// From the cache where it has them, else from the operator's registry: the host that a
// lock names is never asked. What the lock says of the bytes is checked before they are
// kept and whenever they are used. What cannot be had is listed, and whoever installs
// decides what that means.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fetch/catalog/catalog.h"
#include "fetch/catalog/tarball_cache.h"
#include "npm/npm/graph.h"
#include "npm/registry/release.h"

namespace cg::catalog {

/// A package that is there.
struct Held {
  std::string name;
  std::string version;
  std::string integrity;  // as it was checked: the strongest part
  Tarball tarball;
  /// Where installers ask for it: paths beneath a registry, without repetition. The usual
  /// one first, then those that `resolved` names.
  std::vector<std::string> paths;
  std::vector<std::string> mirror;  // and its names in yarn's mirror
  /// Nothing where nobody had to ask: the lock tells installers all that they need.
  std::optional<registry::Release> release;
  /// Dependencies, by the graph.
  std::vector<registry::Need> needs;
  bool install_script = false;
};

/// A package that is not.
struct Missing {
  enum class Kind {
    elsewhere,      // from git or a URL of its own: not fetched
    bad_name,       // nothing can be called that, or have that version
    no_registry,    // nobody says where to ask
    no_integrity,   // neither the lock nor the registry says which bytes are meant
    bad_integrity,  // what the lock says cannot be read
    mismatch,       // the registry has other bytes than the lock means
    redirect,       // the registry sends us elsewhere, where we do not go
    too_large,
    offline,    // not in the cache, and the network was ruled out
    unfetched,  // any other reason
  };
  Kind kind;
  std::string name;
  std::string version;
  std::string what;       // one line, printable
  bool optional = false;  // only optional dependencies need it
};
/// "no_integrity": for machines.
[[nodiscard]] std::string_view name(Missing::Kind kind);
/// "name@version: …", one line.
[[nodiscard]] std::string describe(const Missing& missing);

struct Stock {
  std::vector<Held> held;        // by name, version and integrity
  std::vector<Missing> missing;  // likewise
  /// "name@version" of those whose lock does not say which bytes it means, so that the
  /// registry's word had to do.
  std::vector<std::string> unpinned;
  struct Counts {
    std::size_t cached = 0;
    std::size_t fetched = 0;
    std::uint64_t bytes = 0;  // of all that is held
  };
  Counts counts;
};

struct StockOptions {
  std::uint64_t max_each = kMaxTarballBytes;
  std::uint64_t max_fetched = 8ULL << 30U;   // of all that this call fetches
  std::chrono::milliseconds limit{300'000};  // for one
  unsigned parallel = 8;
};

/// Every package of `graphs` that comes from a registry. Asks through the fetchers of
/// `catalog`, and asks nobody where that is offline. A damaged file in the cache is a Problem of
/// exit code 4 that names it.
[[nodiscard]] Result<Stock, Problem> take_stock(Catalog& catalog,
                                                const std::vector<const npm::Graph*>& graphs,
                                                const StockOptions& options = {},
                                                const Catalog::OnProgress& progress = {});

}  // namespace cg::catalog
