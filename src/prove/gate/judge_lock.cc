#include <algorithm>
#include <map>
#include <set>

#include "base/base/text.h"
#include "npm/npm/url.h"
#include "npm/registry/name.h"
#include "prove/gate/comparison.h"
#include "prove/gate/judges.h"

namespace cg::gate {

namespace {

using npm::Source;

bool is_fetched(const LockEntry& entry) {
  return !entry.bundled && (entry.source == Source::registry || entry.source == Source::tarball);
}

bool is_foreign(const LockEntry& entry, const std::vector<std::string>& registries) {
  if (!is_fetched(entry) || entry.resolved.empty()) return false;
  const std::string_view url = entry.resolved;
  const bool is_address = url.find("://") != std::string_view::npos || npm::is_web(url);
  if (!is_address) return false;  // a name
  // Beneath a registry only as long as it stays there.
  if (url.find("/..") != std::string_view::npos || url.find('\\') != std::string_view::npos ||
      lower_ascii(url).find("%2e") != std::string::npos) {
    return true;
  }
  return std::none_of(registries.begin(), registries.end(), [&](const std::string& registry) {
    return !registry.empty() && url.starts_with(registry) &&
           (registry.ends_with('/') || url.size() == registry.size() ||
            url[registry.size()] == '/');
  });
}

bool lacks_integrity(const LockEntry& entry) {
  return is_fetched(entry) && entry.integrity.empty();
}

/// "sha512-…" to sha512; several are separated by spaces.
std::map<std::string_view, std::string_view> hashes_of(std::string_view integrity) {
  std::map<std::string_view, std::string_view> out;
  for (const std::string_view one : split(integrity, ' ')) {
    const std::size_t dash = one.find('-');
    if (dash != std::string_view::npos) out.emplace(one.substr(0, dash), one.substr(dash + 1));
  }
  return out;
}

bool contradict(std::string_view before, std::string_view after) {
  const auto old_hashes = hashes_of(before);
  const auto new_hashes = hashes_of(after);
  if (old_hashes.empty() || new_hashes.empty()) return before != after;  // in a lock's own form
  return std::any_of(new_hashes.begin(), new_hashes.end(), [&](const auto& hash) {
    const auto found = old_hashes.find(hash.first);
    return found != old_hashes.end() && found->second != hash.second;
  });
}

LockNumbers numbers_of(const LockSide& side, const std::vector<std::string>& registries) {
  LockNumbers out;
  out.entries = side.entries.size();
  for (const LockEntry& entry : side.entries) {
    if (is_foreign(entry, registries)) ++out.foreign;
    if (lacks_integrity(entry)) ++out.without_integrity;
  }
  out.lies = side.lint.lies.size();
  return out;
}

class LockJudge {
 public:
  LockJudge(const LockSide& before, const LockSide& after, const Comparison& comparison,
            Signal& signal)
      : before_(before), after_(after), comparison_(comparison), reasons_(signal.reasons) {
    for (const LockEntry& entry : before_.entries) {
      by_location_.emplace(entry.location, &entry);
      if (!entry.integrity.empty()) by_release_.emplace(release(entry), &entry);
    }
  }

  /// How many entries the fix changed; problems() says what is wrong with them.
  std::size_t run() {
    std::size_t changed = 0;
    for (const LockEntry& entry : after_.entries) {
      const auto old = by_location_.find(entry.location);
      const LockEntry* was = old == by_location_.end() ? nullptr : old->second;
      if (was != nullptr && *was == entry) continue;
      ++changed;
      judge(entry, was);
    }
    std::set<std::string_view> known;
    for (const lockfile::Doubt& lie : before_.lint.lies) known.insert(lie.location);
    for (const lockfile::Doubt& lie : after_.lint.lies) {
      if (!known.contains(lie.location)) bad(lie.location + " " + lie.what);
    }
    return changed;
  }

  [[nodiscard]] std::size_t problems() const { return problems_; }

 private:
  static std::string release(const LockEntry& entry) { return entry.name + "@" + entry.version; }

  void bad(const std::string& reason) {
    ++problems_;
    reasons_.add(reason);
  }

  void judge(const LockEntry& entry, const LockEntry* was) {
    const std::string& where = entry.location;
    if (!registry::is_package_name(entry.name)) bad(where + ": its name is no package's");
    if (entry.source == Source::git || entry.source == Source::directory) {
      if (was == nullptr || was->source != entry.source || was->resolved != entry.resolved) {
        bad(where + " comes from " +
            (entry.source == Source::git ? "a git repository" : "a folder") + " now");
      }
    }
    if (is_foreign(entry, comparison_.registries)) {
      bad(where + " comes from " + entry.resolved + ", which is no registry of the configuration");
    } else if (entry.resolved.starts_with("file:") && is_fetched(entry)) {
      bad(where + " comes from a file now");
    }
    if (is_plain_http(entry.resolved)) bad(where + " is fetched over plain http");
    if (lacks_integrity(entry)) {
      if (is_filled_in_later(entry)) {
        reasons_.add("for the reviewer: " + where +
                     " has no checksum until the next install writes it; what was proven had the "
                     "integrity that the registry gives");
      } else {
        bad(where + " has no integrity");
      }
    }
    judge_hashes(entry, was);
  }

  /// yarn's checksum is of a zip that only yarn makes. Of a tarball that the lock names by itself
  /// nobody else says which bytes are meant.
  [[nodiscard]] bool is_filled_in_later(const LockEntry& entry) const {
    return comparison_.checks.lock == npm::LockKind::yarn_berry && entry.source == Source::registry;
  }

  void judge_hashes(const LockEntry& entry, const LockEntry* was) {
    const auto same = by_release_.find(release(entry));
    if (same != by_release_.end() && !entry.integrity.empty() &&
        contradict(same->second->integrity, entry.integrity)) {
      bad(entry.location + ": the integrity of " + release(entry) +
          " changed, though its version did not");
    }
    const bool was_strong = was != nullptr && was->integrity.find("sha512-") != std::string::npos;
    if (was_strong && entry.integrity.starts_with("sha1-")) {
      bad(entry.location + ": its integrity is weaker than before");
    }
  }

  bool is_plain_http(std::string_view url) const {
    if (!npm::is_http(url)) return false;
    // An operator who configures a registry on loopback means it.
    return std::none_of(comparison_.registries.begin(), comparison_.registries.end(),
                        [&](const std::string& registry) {
                          return registry.starts_with("http://") && url.starts_with(registry);
                        });
  }

  const LockSide& before_;
  const LockSide& after_;
  const Comparison& comparison_;
  Reasons reasons_;
  std::size_t problems_ = 0;
  std::map<std::string_view, const LockEntry*> by_location_;
  std::map<std::string, const LockEntry*> by_release_;
};

}  // namespace

void judge_lock(const Evidence& evidence, Signal& signal) {
  const Comparison& comparison = evidence.comparison;
  if (comparison.lock_before)
    signal.before = numbers_of(*comparison.lock_before, comparison.registries);
  if (comparison.lock_after)
    signal.after = numbers_of(*comparison.lock_after, comparison.registries);
  if (!comparison.lock_before || !comparison.lock_after) {
    signal.state = State::missing;
    Reasons(signal.reasons).add("a lockfile could not be read");
    return;
  }
  LockJudge judge(*comparison.lock_before, *comparison.lock_after, comparison, signal);
  const std::size_t changed = judge.run();
  signal.state = judge.problems() == 0 ? State::passed : State::failed;
  signal.words = counted(changed, "entry", "entries") + " changed";
}

}  // namespace cg::gate
