// Catalog: the packages of the configured registry, as planning asks for them.
//
// Memory, then the cache on disk, then the registry through the fetching programs. What
// cannot be had is remembered with its reason and not asked for again.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fetch/catalog/supply.h"

namespace cg::catalog {

class Catalog final : public registry::Source {
 public:
  /// `clock` is asked once, so that all of a run sees the same cache.
  Catalog(Cache cache, registry::Config config, MakeFetcher make, const Options& options,
          os::Clock& clock);
  Catalog(const Catalog&) = delete;
  Catalog& operator=(const Catalog&) = delete;

  [[nodiscard]] const registry::Packument* get(std::string_view name) override;

  using OnProgress = std::function<void(std::size_t done, std::size_t total)>;
  /// Gets all of them, several at once where the registry must be asked. `progress` is
  /// told of those that had to be; never by two threads at once.
  void prefetch(const std::vector<std::string>& names, const OnProgress& progress = {});

  /// By name: all that was asked for and cannot be had.
  [[nodiscard]] const std::map<std::string, Lack, std::less<>>& lacks() const { return lacks_; }
  /// The first thing in the cache that is not what was put there: a plan that was made
  /// beside it is not to be trusted. A Problem of exit code 4.
  [[nodiscard]] const std::optional<Problem>& damage() const { return damage_; }
  /// What the operator should know and nobody has to act on, one line each.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

  struct Counts {
    std::size_t cached = 0;     // from the disk
    std::size_t confirmed = 0;  // from the disk, after asking
    std::size_t fetched = 0;
  };
  [[nodiscard]] const Counts& counts() const { return counts_; }
  /// BLAKE3 over the lines of every packument that was used, by name.
  [[nodiscard]] hash::Digest digest() const;
  [[nodiscard]] const registry::Config& config() const { return config_; }
  [[nodiscard]] Mode mode() const { return options_.mode; }
  [[nodiscard]] const Archives& archives() const { return options_.archives; }
  /// The workspace's folder, where the cache is.
  [[nodiscard]] const os::Dir& home() const { return cache_.home(); }
  /// Whoever fetches from one registry, for what is no packument. By several threads.
  [[nodiscard]] Result<std::unique_ptr<net::Fetcher>, Problem> make_fetcher(
      const registry::Choice& choice) const {
    return make_(choice);
  }

 private:
  const registry::Packument* keep(const std::string& name, Outcome outcome);
  [[nodiscard]] bool is_known(std::string_view name) const;

  Cache cache_;
  registry::Config config_;
  MakeFetcher make_;
  Options options_;
  Time now_;
  Supply supply_;
  std::vector<std::unique_ptr<Supply>> helpers_;  // of prefetch(), with their programs
  std::map<std::string, std::unique_ptr<const registry::Packument>, std::less<>> packuments_;
  std::map<std::string, Lack, std::less<>> lacks_;
  std::optional<Problem> damage_;
  std::vector<std::string> notes_;
  Counts counts_;
};

}  // namespace cg::catalog
