#include "fetch/catalog/catalog.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "base/base/match.h"
#include "trust/hash/blake3.h"

namespace cg::catalog {

Catalog::Catalog(Cache cache, registry::Config config, MakeFetcher make, const Options& options,
                 os::Clock& clock)
    : cache_(cache),
      config_(std::move(config)),
      make_(std::move(make)),
      options_(options),
      now_(clock.now()),
      supply_(cache_, config_, make_, options_),
      notes_(config_.notes()) {}

bool Catalog::is_known(std::string_view name) const {
  return packuments_.find(name) != packuments_.end() || lacks_.find(name) != lacks_.end();
}

const registry::Packument* Catalog::keep(const std::string& name, Outcome outcome) {
  return match(
      std::move(outcome),
      [&](Got&& got) -> const registry::Packument* {
        switch (got.from) {
          case From::registry:
            ++counts_.fetched;
            break;
          case From::confirmed:
            ++counts_.confirmed;
            break;
          case From::cache:
          case From::stale_cache:
            ++counts_.cached;
            break;
        }
        if (!got.note.empty()) notes_.push_back(std::move(got.note));
        return packuments_.insert_or_assign(name, std::move(got.packument)).first->second.get();
      },
      [&](Missed&& missed) -> const registry::Packument* {
        if (missed.damage && !damage_) damage_ = std::move(missed.damage);
        lacks_.insert_or_assign(name, std::move(missed.lack));
        return nullptr;
      });
}

const registry::Packument* Catalog::get(std::string_view name) {
  const auto found = packuments_.find(name);
  if (found != packuments_.end()) return found->second.get();
  if (lacks_.find(name) != lacks_.end()) return nullptr;
  const std::string key(name);
  return keep(key, supply_.get(key, now_));
}

void Catalog::prefetch(const std::vector<std::string>& names, const OnProgress& progress) {
  std::vector<std::string> to_ask;
  for (const std::string& name : names) {
    if (is_known(name)) continue;
    if (auto outcome = supply_.get_cached(name, now_)) {
      keep(name, *std::move(outcome));
    } else {
      to_ask.push_back(name);
    }
  }
  std::sort(to_ask.begin(), to_ask.end());
  to_ask.erase(std::unique(to_ask.begin(), to_ask.end()), to_ask.end());
  if (to_ask.empty()) return;

  // Each thread has its own programs; what they bring is kept by this one, in order.
  std::vector<std::optional<Outcome>> outcomes(to_ask.size());
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;  // for the two below
  std::size_t done = 0;
  const auto work = [&](Supply& supply) {
    for (std::size_t i = next++; i < to_ask.size(); i = next++) {
      outcomes[i] = supply.get(to_ask[i], now_);
      const std::lock_guard lock(mutex);
      ++done;
      if (progress) progress(done, to_ask.size());
    }
  };
  const std::size_t most = std::min<std::size_t>(std::max(options_.parallel, 1U), to_ask.size());
  while (helpers_.size() + 1 < most) {
    helpers_.push_back(std::make_unique<Supply>(cache_, config_, make_, options_));
  }
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i + 1 < most; ++i) {
    threads.emplace_back([&work, helper = helpers_[i].get()] { work(*helper); });
  }
  work(supply_);
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < to_ask.size(); ++i) keep(to_ask[i], *std::move(outcomes[i]));
}

hash::Digest Catalog::digest() const {
  hash::Blake3 digest("codegenie 2026 packuments v1");
  for (const auto& [name, packument] : packuments_) {
    if (packument != nullptr) digest.update(as_bytes(packument->stored()));
  }
  return digest.finish();
}

}  // namespace cg::catalog
