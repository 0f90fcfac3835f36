#include "fetch/catalog/tarball.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>
#include <variant>

#include "base/base/text.h"
#include "fetch/catalog/listed.h"
#include "fetch/catalog/tarball_path.h"
#include "fetch/catalog/wants.h"
#include "npm/lockfile/elsewhere.h"

namespace cg::catalog {

namespace {

using Kind = Missing::Kind;

constexpr int kMaxHops = 3;

Kind missing_kind_of(const net::Error& error) {
  if (error.kind == net::Error::Kind::redirect) return Kind::redirect;
  if (error.kind == net::Error::Kind::too_large) return Kind::too_large;
  return Kind::unfetched;
}

Missing missed(const Want& want, Kind kind, std::string_view what) {
  return {kind, want.held.name, want.held.version, printable(cut_utf8(what, 300)), want.optional};
}

/// How many bytes may still be fetched, shared by those who fetch.
class Budget {
 public:
  explicit Budget(std::uint64_t bytes) : left_(bytes) {}
  /// Up to `most`; what was not used is given back.
  std::uint64_t take(std::uint64_t most) {
    const std::lock_guard lock(mutex_);
    const std::uint64_t taken = std::min(most, left_);
    left_ -= taken;
    return taken;
  }
  void give_back(std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    left_ += bytes;
  }

 private:
  std::mutex mutex_;
  std::uint64_t left_;
};

using Brought = std::variant<Tarball, Missing, Problem>;

/// Fetches, with programs of its own: each thread has one of these.
class Porter {
 public:
  Porter(const Catalog& catalog, const StockOptions& options, Budget& budget)
      : catalog_(catalog), options_(options), budget_(budget) {}

  Brought bring(const Want& want) {
    const auto url = net::Url::parse(want.url);
    if (!url) return missed(want, Kind::unfetched, net::describe(url.error()));
    auto fetcher = want.choice != nullptr ? fetcher_for(*want.choice) : fetcher_of_archives();
    if (!fetcher) return missed(want, Kind::unfetched, fetcher.error().what);
    const std::uint64_t room = budget_.take(options_.max_each);
    if (room == 0) return missed(want, Kind::too_large, "more than may be fetched in one go");
    Brought brought = fetch(want, *url, **fetcher, room);
    const auto* const tarball = std::get_if<Tarball>(&brought);
    budget_.give_back(tarball == nullptr ? room : room - tarball->size);
    return brought;
  }

 private:
  Brought fetch(const Want& want, const net::Url& url, net::Fetcher& fetcher, std::uint64_t room) {
    const TarballCache cache(catalog_.home());
    auto sink = TarballSink::create(cache, *want.integrity);
    if (!sink) return std::move(sink).error();
    net::Request request{url};
    request.max_bytes = room;
    request.limit = options_.limit;
    auto answer = fetcher.get(request, *sink);
    for (int hops = 0; !answer && hops < kMaxHops; ++hops) {
      const auto next = next_hop(want, request.url, answer.error());
      if (!next) break;
      request.url = *next;
      answer = fetcher.get(request, *sink);
    }
    if (!answer)
      return missed(want, missing_kind_of(answer.error()), net::describe(answer.error()));
    auto kept = sink->keep();
    if (!kept) return std::move(kept).error();
    if (!*kept) return missed(want, Kind::mismatch, "wanted " + want.held.integrity);
    return **std::move(kept);
  }

  /// An archive's host may send us on, as long as it is to another that the operator named.
  std::optional<net::Url> next_hop(const Want& want, const net::Url& from,
                                   const net::Error& error) const {
    if (want.choice != nullptr || error.kind != net::Error::Kind::redirect) return std::nullopt;
    const bool same_host = error.location.starts_with('/') && !error.location.starts_with("//");
    const std::string location = same_host ? from.origin().str() + error.location : error.location;
    const auto host = lockfile::https_host(location.substr(0, location.find('?')));
    const std::vector<std::string>& hosts = catalog_.archives().hosts;
    if (!host || !std::binary_search(hosts.begin(), hosts.end(), *host)) return std::nullopt;
    const auto url = net::Url::parse(location);
    return url ? std::optional(*url) : std::nullopt;
  }

  Result<net::Fetcher*, Problem> fetcher_of_archives() {
    if (archives_ == nullptr) {
      CG_TRY_ASSIGN(archives_, catalog_.archives().make());
    }
    return archives_.get();
  }

  Result<net::Fetcher*, Problem> fetcher_for(const registry::Choice& choice) {
    const auto found = fetchers_.find(choice.url.str());
    if (found != fetchers_.end()) return found->second.get();
    CG_TRY_ASSIGN(auto made, catalog_.make_fetcher(choice));
    return fetchers_.emplace(choice.url.str(), std::move(made)).first->second.get();
  }

  const Catalog& catalog_;
  const StockOptions& options_;
  Budget& budget_;
  std::map<std::string, std::unique_ptr<net::Fetcher>> fetchers_;
  std::unique_ptr<net::Fetcher> archives_;  // without credentials
};

/// What is in `wants` at the places `to_fetch`, in the same order.
std::vector<Brought> bring_all(const Catalog& catalog, const std::vector<Want>& wants,
                               const std::vector<std::size_t>& to_fetch,
                               const StockOptions& options, const Catalog::OnProgress& progress) {
  std::vector<std::optional<Brought>> brought(to_fetch.size());
  Budget budget(options.max_fetched);
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;  // for the two below
  std::size_t done = 0;
  const auto work = [&] {
    Porter porter(catalog, options, budget);
    for (std::size_t i = next++; i < to_fetch.size(); i = next++) {
      brought[i] = porter.bring(wants[to_fetch[i]]);
      const std::lock_guard lock(mutex);
      ++done;
      if (progress) progress(done, to_fetch.size());
    }
  };
  const std::size_t most = std::min<std::size_t>(std::max(options.parallel, 1U), to_fetch.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < most; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  std::vector<Brought> out;
  for (std::optional<Brought>& one : brought) out.push_back(*std::move(one));
  return out;
}

void hold(Stock& stock, Want& want, Tarball tarball) {
  if (!want.pinned) stock.unpinned.push_back(want.held.name + "@" + want.held.version);
  stock.counts.bytes += tarball.size;
  want.held.tarball = std::move(tarball);
  stock.held.push_back(std::move(want.held));
}

void put_in_order(Stock& stock) {
  const auto key = [](const auto& one) { return std::tie(one.name, one.version); };
  std::stable_sort(stock.held.begin(), stock.held.end(),
                   [&](const Held& a, const Held& b) { return key(a) < key(b); });
  std::stable_sort(stock.missing.begin(), stock.missing.end(),
                   [&](const Missing& a, const Missing& b) { return key(a) < key(b); });
  std::sort(stock.unpinned.begin(), stock.unpinned.end());
}

/// One version as its packument has it.
std::optional<Want> want_of(Catalog& catalog, std::string_view name,
                            const semver::Version& version) {
  const registry::Packument* packument = catalog.get(name);
  const registry::Choice* choice = catalog.config().registry_for(name);
  if (packument == nullptr || choice == nullptr) return std::nullopt;
  const auto found = packument->find(version);
  if (!found) return std::nullopt;
  const registry::Release& release = packument->release(*found);
  Want want;
  want.integrity = hash::Integrity::parse(release.integrity);
  if (!want.integrity) return std::nullopt;
  want.held.name = release.name;
  want.held.version = release.version;
  want.held.integrity = want.integrity->str();
  want.choice = choice;
  want.url = release_url(choice->url, release.tarball, name)
                 .value_or(registry::tarball_url(choice->url, name, release.version));
  return want;
}

}  // namespace

Result<std::optional<std::string>, Problem> read_tarball(Catalog& catalog, std::string_view name,
                                                         const semver::Version& version,
                                                         const StockOptions& options) {
  const std::optional<Want> want = want_of(catalog, name, version);
  if (catalog.damage()) return fail(*catalog.damage());
  if (!want) return std::optional<std::string>();
  CG_TRY_ASSIGN(std::optional<Tarball> found, TarballCache(catalog.home()).find(*want->integrity));
  if (!found && catalog.mode() != Mode::offline) {
    Budget budget(options.max_fetched);
    Brought brought = Porter(catalog, options, budget).bring(*want);
    if (auto* const problem = std::get_if<Problem>(&brought)) return fail(std::move(*problem));
    if (auto* const tarball = std::get_if<Tarball>(&brought)) found = std::move(*tarball);
  }
  if (!found) return std::optional<std::string>();
  auto bytes = catalog.home().read(found->path, options.max_each);
  return bytes ? std::optional<std::string>(*std::move(bytes)) : std::nullopt;
}

Result<Stock, Problem> take_stock(Catalog& catalog, const std::vector<const npm::Graph*>& graphs,
                                  const StockOptions& options,
                                  const Catalog::OnProgress& progress) {
  Wants wanted = find_wants(catalog, graphs, progress);
  if (catalog.damage()) return fail(*catalog.damage());
  Stock stock;
  stock.missing = std::move(wanted.missing);
  const TarballCache cache(catalog.home());
  std::vector<std::size_t> to_fetch;
  for (std::size_t i = 0; i < wanted.wants.size(); ++i) {
    Want& want = wanted.wants[i];
    CG_TRY_ASSIGN(std::optional<Tarball> found, cache.find(*want.integrity));
    if (found) {
      ++stock.counts.cached;
      hold(stock, want, *std::move(found));
    } else if (catalog.mode() == Mode::offline) {
      stock.missing.push_back(missed(want, Kind::offline, ""));
    } else {
      to_fetch.push_back(i);
    }
  }
  std::vector<Brought> all = bring_all(catalog, wanted.wants, to_fetch, options, progress);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (auto* const problem = std::get_if<Problem>(&all[i])) return fail(std::move(*problem));
    if (auto* const missing = std::get_if<Missing>(&all[i])) {
      stock.missing.push_back(std::move(*missing));
      continue;
    }
    ++stock.counts.fetched;
    hold(stock, wanted.wants[to_fetch[i]], std::move(std::get<Tarball>(all[i])));
  }
  put_in_order(stock);
  stock.listed = find_listed(catalog, graphs);
  if (catalog.damage()) return fail(*catalog.damage());
  return stock;
}

}  // namespace cg::catalog
