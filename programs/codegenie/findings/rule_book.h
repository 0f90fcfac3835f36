// RuleBook: the rules of the index for the packages somebody asked about, kept.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "domain/error.h"
#include "plan/advisories.h"
#include "scan/assemble.h"
#include "scan/match.h"
#include "vulnindex/index.h"

namespace cg::program {

class RuleBook : public plan::Advisories {
 public:
  explicit RuleBook(vulnindex::Index& index) : index_(index) {}

  Result<Done, Problem> learn(std::string_view package);
  /// Every package of the graph.
  Result<Done, Problem> learn(const npm::Graph& graph);
  Result<Done, Problem> learn_briefs(const std::vector<scan::Hit>& hits);

  [[nodiscard]] const scan::RuleSet& rules() const { return rules_; }
  [[nodiscard]] const scan::Briefs& briefs() const { return briefs_; }

  /// Learns about the package first if need be. An index that cannot be read makes every
  /// version affected, so that none is chosen; trouble() says why.
  [[nodiscard]] bool affected(std::string_view package, const semver::Version& version) override;
  [[nodiscard]] const std::optional<Problem>& trouble() const { return trouble_; }

 private:
  vulnindex::Index& index_;
  scan::RuleSet rules_;
  std::vector<std::unique_ptr<vulnindex::Rules>> bytes_;
  scan::Briefs briefs_;
  std::optional<Problem> trouble_;
};

}  // namespace cg::program
