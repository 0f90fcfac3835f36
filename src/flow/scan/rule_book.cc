#include "flow/scan/rule_book.h"

#include <algorithm>

#include "base/base/text.h"
#include "flow/scan/index.h"
#include "vuln/advisory/version_key.h"

namespace cg::scan {

Result<Done, Problem> RuleBook::learn(std::string_view package) {
  if (!index_.may_have(package) || rules_.contains(package)) return Done{};
  auto found = index_.rules(package);
  if (!found) return fail(problem_of(found.error()));
  if (!*found) return Done{};
  auto& views = rules_[std::string(package)];
  bytes_.push_back(std::make_unique<vulnindex::Rules>(**std::move(found)));
  for (const std::string_view bytes : bytes_.back()->rules) {
    const auto view = advisory::RuleView::parse(bytes);
    if (!view) {
      return fail(problem_of(
          {vulnindex::Error::Kind::corrupt, index_.path(),
           "a rule of `" + printable(package) + "`: " + advisory::describe(view.error())}));
    }
    views.push_back(*view);
  }
  return Done{};
}

Result<Done, Problem> RuleBook::learn(const npm::Graph& graph) {
  for (const npm::Node& node : graph.nodes()) {
    if (findings::is_published(node)) CG_TRY(learn(node.name));
  }
  return Done{};
}

Result<Done, Problem> RuleBook::learn_briefs(const std::vector<findings::Hit>& hits) {
  for (const findings::Hit& hit : hits) {
    if (briefs_.contains(hit.advisory)) continue;
    auto brief = index_.brief(hit.advisory);
    if (!brief) return fail(problem_of(brief.error()));
    if (*brief) briefs_.emplace(hit.advisory, **std::move(brief));
  }
  return Done{};
}

bool RuleBook::affected(std::string_view package, const semver::Version& version) {
  if (auto learned = learn(package); !learned) {
    if (!trouble_) trouble_ = learned.error();
    return true;
  }
  const auto rules = rules_.find(package);
  if (rules == rules_.end()) return false;
  const advisory::VersionKey key(version);
  return std::any_of(
      rules->second.begin(), rules->second.end(),
      [&](const advisory::RuleView& rule) { return rule.evaluate(key).has_value(); });
}

}  // namespace cg::scan
