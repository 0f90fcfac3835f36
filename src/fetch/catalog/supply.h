// Supply: one package at a time, from the cache or the registry.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/os/ports.h"
#include "fetch/catalog/cache.h"
#include "fetch/catalog/lack.h"
#include "fetch/net/fetcher.h"
#include "npm/registry/config.h"
#include "npm/registry/packument.h"

namespace cg::catalog {

enum class Mode { online, offline };

/// Makes whoever fetches archives from the hosts that the operator named, without credentials.
/// Called by several threads.
using MakeArchiveFetcher = std::function<Result<std::unique_ptr<net::Fetcher>, Problem>()>;

/// What may be fetched though no registry has it. The operator's word: never a repository's.
struct Archives {
  std::vector<std::string> hosts = {};  // "name" or "name:port", sorted; https alone
  MakeArchiveFetcher make = {};         // may be empty if there is no host
};

struct Options {
  Mode mode = Mode::online;
  /// A packument that was fetched or confirmed this recently is not asked about again.
  std::chrono::milliseconds max_age{300'000};
  /// For one answer.
  std::chrono::milliseconds limit{60'000};
  /// How many are fetched at once by Catalog::prefetch().
  unsigned parallel = 4;
  Archives archives = {};
};

/// Makes whoever fetches from one registry, as its Config says. Called by several threads.
using MakeFetcher =
    std::function<Result<std::unique_ptr<net::Fetcher>, Problem>(const registry::Choice&)>;

/// Where what was got came from.
enum class From { cache, confirmed, registry, stale_cache };

struct Got {
  std::unique_ptr<const registry::Packument> packument;
  From from = From::cache;
  std::string note;  // why it is not fresh; else empty
};
struct Missed {
  Lack lack;
  std::optional<Problem> damage;  // with Lack::damaged
};
using Outcome = std::variant<Got, Missed>;

/// Not for several threads at once: each has its own.
class Supply {
 public:
  Supply(const Cache& cache, const registry::Config& config, const MakeFetcher& make,
         const Options& options)
      : cache_(cache), config_(config), make_(make), options_(options) {}

  /// `now` decides what is fresh.
  [[nodiscard]] Outcome get(const std::string& name, Time now);
  /// Only if nothing needs to be asked: from the cache and fresh, or a lack that is known
  /// without asking.
  [[nodiscard]] std::optional<Outcome> get_cached(const std::string& name, Time now);

 private:
  struct Held {
    const registry::Choice* choice = nullptr;
    std::optional<CacheEntry> entry;
    std::unique_ptr<const registry::Packument> packument;
  };
  using Fetch = Result<net::FetchedText, Lack>;

  [[nodiscard]] Result<Held, Missed> hold(const std::string& name);
  [[nodiscard]] std::optional<Outcome> settle(Held& held, Time now) const;
  [[nodiscard]] Outcome ask(const std::string& name, Held held, Time now);
  [[nodiscard]] Outcome take(const std::string& name, const Held& held,
                             const net::FetchedText& fetched, Time now);
  [[nodiscard]] Fetch fetch(const std::string& name, const Held& held);
  [[nodiscard]] Result<net::Fetcher*, Lack> fetcher_for(const registry::Choice& choice);

  const Cache& cache_;
  const registry::Config& config_;
  const MakeFetcher& make_;
  const Options& options_;
  std::map<std::string, std::unique_ptr<net::Fetcher>> fetchers_;  // by registry
};

}  // namespace cg::catalog
