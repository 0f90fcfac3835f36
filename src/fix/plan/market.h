// Market: the published versions that may be chosen, and why others may not.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fix/plan/advisories.h"
#include "fix/plan/options.h"
#include "npm/npm/graph.h"
#include "npm/registry/packument.h"
#include "npm/resolve/place.h"

namespace cg::plan {

/// By package, the versions that are installed as it is.
using Installed = std::map<std::string, std::vector<semver::Version>, std::less<>>;
[[nodiscard]] Installed installed_in(const npm::Graph& graph);

/// The versions of one package that are on offer.
class Offers {
 public:
  Offers(const registry::Packument& packument, Advisories& advisories, const Options& options,
         const std::vector<semver::Version>& installed);

  [[nodiscard]] const registry::Packument& packument() const { return packument_; }
  [[nodiscard]] bool affected(std::size_t i);
  /// Which nodes that the repository names it does not run on, beside those that an installed
  /// version leaves out already: "needs node >=20.0.0, and …". Empty: none.
  [[nodiscard]] std::string other_node(std::size_t i) const;
  /// Policy, engines, and that a lockfile can say what it brings.
  [[nodiscard]] Blocker refused(std::size_t i, bool had_script);
  [[nodiscard]] resolve::Candidate candidate(std::size_t i) const {
    return {&packument_.release(i), &packument_.version(i)};
  }

  /// Above `version`, spoken of by no advisory, best first: not deprecated before
  /// deprecated, stable unless `version` is not, then the lowest (or highest).
  [[nodiscard]] std::vector<std::size_t> safe_above(const semver::Version& version);
  /// Some version below is safe: only going down would help.
  [[nodiscard]] bool safe_below(const semver::Version& version);

 private:
  const registry::Packument& packument_;
  Advisories& advisories_;
  const Options& options_;
  std::vector<semver::Range> before_;  // the nodes of installed versions
  std::vector<char> affected_;         // 0 not asked yet, 1 yes, 2 no
  std::vector<char> runs_;             // likewise: on every node that counts
};

class Market : public resolve::Choice {
 public:
  Market(registry::Source& source, Advisories& advisories, const Options& options,
         Installed installed)
      : source_(source),
        advisories_(advisories),
        options_(options),
        installed_(std::move(installed)) {}

  /// Null if the package is not to be had.
  [[nodiscard]] Offers* offers(std::string_view package);
  [[nodiscard]] bool affected(std::string_view package, const semver::Version& version) {
    return advisories_.affected(package, version);
  }

  /// As npm chooses: the tag asked for or `latest` if the range takes it, else the highest;
  /// deprecated ones and other engines last. Never one with an advisory.
  [[nodiscard]] std::vector<resolve::Candidate> candidates(std::string_view package,
                                                           const resolve::Want& want) override;
  [[nodiscard]] std::size_t most() const override;

 private:
  registry::Source& source_;
  Advisories& advisories_;
  const Options& options_;
  Installed installed_;
  std::map<std::string, std::optional<Offers>, std::less<>> offers_;
};

}  // namespace cg::plan
