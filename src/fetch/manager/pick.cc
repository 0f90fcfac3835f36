#include "fetch/manager/pick.h"

#include "base/base/text.h"

namespace cg::manager {

namespace {

constexpr unsigned kOutOfTheQuestion = 4;

/// `engines.node` of a release; empty if it does not say.
std::string node_range_of(const registry::Release& release) {
  for (const auto& [key, range] : release.engines) {
    if (key == "node") return range;
  }
  return "";
}

bool runs_on(const registry::Release& release, std::string_view node_version) {
  const auto range = semver::Range::parse(node_range_of(release), {.loose = true});
  const auto node = semver::Version::parse(node_version, {.loose = true});
  return !range || !node || range->test(*node);  // who cannot be read says nothing
}

std::string needs_another_node(const Wish& wish, const registry::Release& release,
                               std::string_view node_version) {
  return wish.command + " " + printable(release.version) + ", by " + std::string(name(wish.by)) +
         ", needs node " + printable(node_range_of(release)) + ", and this machine has " +
         printable(node_version);
}

}  // namespace

Result<std::size_t, std::string> pick(const registry::Packument& packument, const Wish& wish,
                                      std::string_view node_version) {
  if (wish.exact) {
    const auto found = packument.find(*wish.exact);
    if (!found) return fail(describe(wish) + " is not published");
    const registry::Release& release = packument.release(*found);
    if (!runs_on(release, node_version)) {
      return fail(needs_another_node(wish, release, node_version));
    }
    return *found;
  }
  const auto range = semver::Range::parse(wish.range);
  const auto fits = semver::Range::parse(wish.fits);
  if (!range || !fits) return fail(describe(wish) + " is no range of versions");
  std::optional<std::size_t> best;
  unsigned least = kOutOfTheQuestion;
  std::string too_new;
  for (std::size_t i = packument.size(); i-- > 0;) {
    const semver::Version& version = packument.version(i);
    if (!range->test(version)) continue;
    const registry::Release& release = packument.release(i);
    if (!runs_on(release, node_version)) {
      if (too_new.empty()) too_new = needs_another_node(wish, release, node_version);
      continue;
    }
    const unsigned rank = (fits->test(version) ? 0U : 2U) + (packument.deprecated(i) ? 1U : 0U);
    if (rank >= least) continue;
    least = rank;
    best = i;
  }
  if (best) return *best;
  return fail(too_new.empty() ? "no version of " + describe(wish) + " is published" : too_new);
}

}  // namespace cg::manager
