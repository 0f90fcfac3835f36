// RuleBook: the rules of the index for the packages somebody asked about, kept.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "fix/plan/advisories.h"
#include "vuln/findings/assemble.h"
#include "vuln/findings/match.h"
#include "vuln/vulnindex/index.h"

namespace cg::scan {

class RuleBook : public plan::Advisories {
 public:
  explicit RuleBook(vulnindex::Index& index) : index_(index) {}

  Result<Done, Problem> learn(std::string_view package);
  /// Every package of the graph.
  Result<Done, Problem> learn(const npm::Graph& graph);
  Result<Done, Problem> learn_briefs(const std::vector<findings::Hit>& hits);

  [[nodiscard]] const findings::RuleSet& rules() const { return rules_; }
  [[nodiscard]] const findings::Briefs& briefs() const { return briefs_; }

  /// Learns about the package first if need be. An index that cannot be read makes every
  /// version affected, so that none is chosen; trouble() says why.
  [[nodiscard]] bool affected(std::string_view package, const semver::Version& version) override;
  [[nodiscard]] const std::optional<Problem>& trouble() const { return trouble_; }

 private:
  vulnindex::Index& index_;
  findings::RuleSet rules_;
  std::vector<std::unique_ptr<vulnindex::Rules>> bytes_;
  findings::Briefs briefs_;
  std::optional<Problem> trouble_;
};

}  // namespace cg::scan
