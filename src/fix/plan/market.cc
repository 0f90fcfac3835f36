#include "fix/plan/market.h"

#include <algorithm>

#include "fix/plan/nodes.h"
#include "npm/semver/range.h"

namespace cg::plan {

namespace {

constexpr std::size_t kMaxCandidates = 6;  // tried for a package that is added
constexpr std::int64_t kDay = 86'400'000;

/// Nothing: it does not say, or nobody can read what it says.
std::optional<semver::Range> node_of(const registry::Release& release) {
  for (const auto& [engine, text] : release.engines) {
    if (engine != "node") continue;
    if (auto range = semver::Range::parse(text, {.loose = true})) return *std::move(range);
    break;
  }
  return std::nullopt;
}

}  // namespace

Installed installed_in(const npm::Graph& graph) {
  Installed out;
  for (const npm::Node& node : graph.nodes()) {
    if (node.source != npm::Source::registry) continue;
    auto version = semver::Version::parse(node.version, {.loose = true});
    if (version) out[std::string(node.name)].push_back(*std::move(version));
  }
  return out;
}

Offers::Offers(const registry::Packument& packument, Advisories& advisories, const Options& options,
               const std::vector<semver::Version>& installed)
    : packument_(packument), advisories_(advisories), options_(options) {
  if (!options.node) return;
  for (const semver::Version& version : installed) {
    const auto at = packument.find(version);
    auto range = at ? node_of(packument.release(*at)) : std::nullopt;
    if (range) before_.push_back(*std::move(range));
  }
}

bool Offers::affected(std::size_t i) {
  if (affected_.empty()) affected_.assign(packument_.size(), 0);
  if (affected_[i] == 0) {
    affected_[i] = advisories_.affected(packument_.name(), packument_.version(i)) ? 1 : 2;
  }
  return affected_[i] == 1;
}

std::string Offers::other_node(std::size_t i) const {
  const auto range = options_.node ? node_of(packument_.release(i)) : std::nullopt;
  const std::string without = range ? left_out(*options_.node, *range, before_) : "";
  if (without.empty()) return {};
  return "needs node " + text_of(*range) + ", and this repository runs on " +
         text_of(*options_.node) + ": " + without + " would be left out";
}

Blocker Offers::refused(std::size_t i, bool had_script) {
  const registry::Release& release = packument_.release(i);
  const Tried own{release.name, release.version};
  if (std::find(options_.tried.begin(), options_.tried.end(), own) != options_.tried.end()) {
    return Blocker::gates;
  }
  // What is inside a tarball or a shrinkwrap is not in the registry's answer, so no lock
  // entry could be written for it.
  if (!release.bundled.empty()) return Blocker::bundled;
  if (release.shrinkwrap) return Blocker::shrinkwrap;
  if (runs_.empty()) runs_.assign(packument_.size(), 0);
  if (runs_[i] == 0) runs_[i] = other_node(i).empty() ? 1 : 2;
  if (runs_[i] == 2) return Blocker::engine;
  if (release.install_script && !had_script && options_.new_scripts == NewScripts::refuse) {
    return Blocker::policy;
  }
  const auto published = packument_.published(i);
  if (published && options_.cooldown_days > 0 &&
      options_.now.ms - published->ms < options_.cooldown_days * kDay) {
    return Blocker::policy;
  }
  return Blocker::none;
}

std::vector<std::size_t> Offers::safe_above(const semver::Version& version) {
  std::vector<std::size_t> out;
  std::vector<std::size_t> previews;
  for (std::size_t i = 0; i < packument_.size(); ++i) {
    const semver::Version& other = packument_.version(i);
    if (other <= version || affected(i)) continue;
    (other.has_prerelease() ? previews : out).push_back(i);
  }
  const bool on_preview = version.has_prerelease();
  if (out.empty() || on_preview) out.insert(out.end(), previews.begin(), previews.end());
  if (on_preview) std::sort(out.begin(), out.end());
  if (options_.prefer == Prefer::highest) std::reverse(out.begin(), out.end());
  std::stable_partition(out.begin(), out.end(),
                        [&](std::size_t i) { return !packument_.deprecated(i); });
  return out;
}

bool Offers::safe_below(const semver::Version& version) {
  for (std::size_t i = 0; i < packument_.size() && packument_.version(i) < version; ++i) {
    if (!affected(i)) return true;
  }
  return false;
}

Offers* Market::offers(std::string_view package) {
  auto found = offers_.find(package);
  if (found == offers_.end()) {
    found = offers_.emplace(std::string(package), std::nullopt).first;
    if (const registry::Packument* packument = source_.get(package)) {
      const auto installed = installed_.find(package);
      found->second.emplace(
          *packument, advisories_, options_,
          installed == installed_.end() ? std::vector<semver::Version>{} : installed->second);
    }
  }
  return found->second ? &*found->second : nullptr;
}

std::size_t Market::most() const { return kMaxCandidates; }

std::vector<resolve::Candidate> Market::candidates(std::string_view package,
                                                   const resolve::Want& want) {
  std::vector<resolve::Candidate> out;
  Offers* offers = this->offers(package);
  if (offers == nullptr) return out;
  const registry::Packument& packument = offers->packument();
  const auto usable = [&](std::size_t i) {
    return want.takes(packument.version(i)) && !offers->affected(i);
  };
  std::vector<std::size_t> order;
  const auto tagged = packument.tag(want.tag.empty() ? "latest" : want.tag);
  if (tagged && usable(*tagged) && !packument.deprecated(*tagged)) order.push_back(*tagged);
  const bool any = want.kind == resolve::Want::Kind::any;
  for (const bool deprecated : {false, true}) {
    for (std::size_t i = packument.size(); i-- > 0;) {
      if (packument.deprecated(i) != deprecated || (any && packument.version(i).has_prerelease()))
        continue;
      if (tagged && i == *tagged && !order.empty() && order.front() == i) continue;
      if (usable(i)) order.push_back(i);
    }
  }
  for (const std::size_t i : order) {
    if (out.size() == kMaxCandidates) break;
    if (offers->refused(i, false) == Blocker::none) out.push_back(offers->candidate(i));
  }
  return out;
}

}  // namespace cg::plan
