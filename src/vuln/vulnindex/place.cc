#include "vuln/vulnindex/place.h"

#include <unistd.h>

#include <algorithm>

namespace cg::vulnindex {

namespace {

constexpr std::string_view kTemporary = "vuln-index.new-";
constexpr std::string_view kOld = "vuln-index.2";  // vuln-index.2026-11-05T02-00-11.042Z.sqlite
constexpr const char* kDamaged = "vuln-index.damaged.sqlite";
constexpr std::size_t kMaxNames = 10'000;
constexpr std::size_t kKeepOld = 1;  // beside the one that was just replaced

Error from_os(const os::Error& error) {
  const bool full = error.kind == os::Error::Kind::no_space;
  return {full ? Error::Kind::no_space : Error::Kind::io, error.path, os::describe(error)};
}

/// Temporary files that nobody is writing any more: we hold the lock.
void remove_leftovers(const os::Dir& cache) {
  const auto names = cache.list(".", kMaxNames);
  if (!names) return;
  for (const std::string& name : *names) {
    if (name.starts_with(kTemporary)) static_cast<void>(cache.remove(name));
  }
}

/// Keeps the newest few of the old ones, and `kept` whatever its age.
void remove_old(const os::Dir& cache, const std::string& kept) {
  auto names = cache.list(".", kMaxNames);  // sorted, so by the time they were built
  if (!names) return;
  std::erase_if(*names,
                [&](const std::string& name) { return !name.starts_with(kOld) || name == kept; });
  for (std::size_t i = 0; i + kKeepOld < names->size(); ++i) {
    static_cast<void>(cache.remove((*names)[i]));
  }
}

/// Named by when it was built, made unique where that is not.
Result<std::string, Error> keep_old(const os::Dir& cache, const Summary& old) {
  for (int i = 0; i < 1000; ++i) {
    const std::string suffix = i == 0 ? "" : "-" + std::to_string(i);
    std::string time = to_iso(old.built);
    std::replace(time.begin(), time.end(), ':', '-');
    const std::string name = "vuln-index." + time + suffix + ".sqlite";
    const auto linked = cache.link("vuln-index.sqlite", name);
    if (linked) return name;
    if (linked.error().kind != os::Error::Kind::exists) return fail(from_os(linked.error()));
  }
  return fail(Error{Error::Kind::io, cache.path(), "too many old indexes of one time"});
}

Result<Done, Error> check_shrink(const Draft& before, const Draft& after,
                                 const std::vector<std::string>& sources, unsigned percent,
                                 const std::string& path) {
  for (const std::string& source : sources) {
    const std::uint64_t old = before.count(source);
    const std::uint64_t now = after.count(source);
    if (now * 100 >= old * (100 - std::min(percent, 100U))) continue;
    return fail(Error{Error::Kind::shrank, path,
                      source + " had " + std::to_string(old) + " records, the new feed has " +
                          std::to_string(now)});
  }
  return Done{};
}

Result<Replacement, Error> put_in_place(const os::Dir& cache,
                                        const std::optional<Summary>& previous, const Draft& before,
                                        const Draft& after, const std::vector<Rejected>& rejected,
                                        Time built) {
  Replacement out;
  const std::string temporary = std::string(kTemporary) + std::to_string(getpid());
  auto summary = write_index(cache.path_of(temporary), after, rejected, built);
  if (!summary) {
    static_cast<void>(cache.remove(temporary));
    return fail(summary.error());
  }
  out.summary = *summary;
  out.previous = previous;
  out.changes = changes_between(before, after);
  if (previous) {
    CG_TRY_ASSIGN(out.kept_as, keep_old(cache, *previous));
  } else if (cache.stat("vuln-index.sqlite")) {
    out.kept_as = kDamaged;
  }
  const auto renamed = cache.rename(temporary, "vuln-index.sqlite");
  if (!renamed) return fail(from_os(renamed.error()));
  remove_old(cache, out.kept_as);
  return out;
}

/// Runs `f(cache, old index or nothing, its records)` under the lock of the folder.
template <class F>
Result<Replacement, Error> with_cache(const os::Dir& home, const F& f) {
  const auto made = home.make_dir(kFolder);
  if (!made) return fail(from_os(made.error()));
  const auto cache = home.open_dir(kFolder);
  if (!cache) return fail(from_os(cache.error()));
  const auto lock = os::Lock::hold(cache->fd(), os::Lock::Mode::exclusive, cache->path());
  if (!lock) return fail(from_os(lock.error()));
  remove_leftovers(*cache);
  Draft before;
  std::optional<Summary> summary;
  auto old = open_index(home);
  if (old) {
    auto records = old->draft();
    if (records) {
      before = *std::move(records);
      summary = old->summary();
    }
  } else if (old.error().kind == Error::Kind::busy || old.error().kind == Error::Kind::io) {
    return fail(old.error());
  }
  // A damaged index, or one of another layout, must not keep a sound one out: it is kept
  // for whoever wants to look at it, and nothing of it is carried over.
  if (!summary && cache->stat("vuln-index.sqlite")) {
    static_cast<void>(cache->remove(kDamaged));
    static_cast<void>(cache->link("vuln-index.sqlite", kDamaged));
  }
  return f(*cache, summary, before);
}

}  // namespace

Result<Index, Error> open_index(const os::Dir& home) { return Index::open(home.path_of(kFile)); }

Changes changes_between(const Draft& before, const Draft& after) {
  Changes out;
  for (const auto& [key, kept] : after.records()) {
    const auto old = before.records().find(key);
    if (old == before.records().end()) {
      out.added.push_back(key.second);
    } else if (old->second.text != kept.text) {
      out.changed.push_back(key.second);
    }
  }
  for (const auto& [key, kept] : before.records()) {
    if (!after.records().contains(key)) out.removed.push_back(key.second);
  }
  return out;
}

Result<Replacement, Error> replace_sources(const os::Dir& home, const Draft& fresh,
                                           const std::vector<std::string>& sources,
                                           const std::vector<Rejected>& rejected,
                                           const ReplaceOptions& options) {
  return with_cache(home,
                    [&](const os::Dir& cache, const std::optional<Summary>& summary,
                        const Draft& before) -> Result<Replacement, Error> {
                      CG_TRY(check_shrink(before, fresh, sources, options.max_shrink_percent,
                                          home.path_of(kFile)));
                      Draft after = fresh;
                      for (const auto& [key, kept] : before.records()) {
                        const bool replaced =
                            std::find(sources.begin(), sources.end(), key.first) != sources.end();
                        if (!replaced) after.carry_over(key, kept);
                      }
                      return put_in_place(cache, summary, before, after, rejected, options.now);
                    });
}

Result<Replacement, Error> replace_all(const os::Dir& home, const Draft& draft, Time built) {
  return with_cache(
      home, [&](const os::Dir& cache, const std::optional<Summary>& summary, const Draft& before) {
        return put_in_place(cache, summary, before, draft, {}, built);
      });
}

}  // namespace cg::vulnindex
