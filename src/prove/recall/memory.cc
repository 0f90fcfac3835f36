#include "prove/recall/memory.h"

#include <utility>

#include "base/base/text.h"
#include "trust/hash/sha256.h"

namespace cg::recall {

namespace {

constexpr const char* kFolder = "cache/steps";
constexpr std::size_t kMaxFiles = 20'000;
constexpr std::int64_t kRememberedMs = std::int64_t{kRememberedDays} * 24 * 3600 * 1000;

std::string path_of(const hash::Digest& key) { return std::string(kFolder) + "/" + to_hex(key); }

bool is_young(const Kept& kept, Time now) {
  return kept.at <= now && now.ms - kept.at.ms < kRememberedMs;
}

}  // namespace

Memory::Memory(const os::Dir& home, std::string workflow, Vouch vouch, Use use)
    : home_(home), workflow_(std::move(workflow)), vouch_(std::move(vouch)), use_(use) {}

std::optional<Kept> Memory::find(const hash::Digest& key, Time now, record::Events& events) {
  const std::lock_guard guard(mutex_);
  if (!std::exchange(cleared_, true)) remove_old(now);
  const auto own = own_.find(key);
  if (use_ == Use::fresh && own == own_.end()) return std::nullopt;
  const auto bytes = home_.read(path_of(key), kMaxKeptBytes);
  if (!bytes) return std::nullopt;
  const hash::Digest digest = hash::sha256(as_bytes(*bytes));
  std::optional<Kept> kept = read_kept(*bytes);
  const auto vouched = own != own_.end() ? std::optional(own->second)
                       : kept            ? vouch_(kept->workflow, key)
                                         : std::nullopt;
  if (kept && !vouched) return std::nullopt;  // of a run that was killed
  if (!kept || vouched != digest) {
    const char* why = kept ? "the log has another digest for it" : "it cannot be read";
    events.emplace_back(record::RecallRefused{key, why});
    return std::nullopt;
  }
  if (!is_young(*kept, now)) return std::nullopt;
  return kept;
}

void Memory::keep(const hash::Digest& key, const std::string& step, const Kept& kept,
                  record::Events& events) {
  const auto bytes = write_kept(kept);
  if (!bytes) return;
  const std::lock_guard guard(mutex_);
  if (!home_.make_dir(kFolder) || !home_.write_atomic(path_of(key), *bytes)) return;
  const hash::Digest digest = hash::sha256(as_bytes(*bytes));
  own_[key] = digest;
  events.emplace_back(record::StepKept{digest, key, cut(step, 30)});
}

void Memory::forget(const hash::Digest& key) {
  const std::lock_guard guard(mutex_);
  if (own_.erase(key) > 0) static_cast<void>(home_.remove(path_of(key)));
}

/// Once in a run, of what nobody would use any more.
void Memory::remove_old(Time now) {
  const auto names = home_.list(kFolder, kMaxFiles);
  if (!names) return;
  for (const std::string& name : *names) {
    const std::string path = std::string(kFolder) + "/" + name;
    if (os::is_leftover(name)) {
      static_cast<void>(home_.remove(path));
      continue;
    }
    const auto info = home_.stat(path);
    if (info && now.ms - info->changed.ms >= kRememberedMs) static_cast<void>(home_.remove(path));
  }
}

}  // namespace cg::recall
