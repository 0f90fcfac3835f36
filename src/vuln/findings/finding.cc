#include "vuln/findings/finding.h"

#include <algorithm>

#include "base/base/text.h"

namespace cg::findings {

std::string_view name(Strategy strategy) {
  switch (strategy) {
    case Strategy::relock:
      return "relock";
    case Strategy::direct_bump:
      return "direct_bump";
    case Strategy::parent_bump:
      return "parent_bump";
    case Strategy::major_bump:
      return "major_bump";
    case Strategy::remove:
      return "remove";
    case Strategy::none:
      break;
  }
  return "none";
}

bool is_named(const Finding& finding, std::string_view id) {
  const std::string wanted = lower_ascii(id);
  return lower_ascii(finding.advisory) == wanted ||
         std::any_of(finding.aliases.begin(), finding.aliases.end(),
                     [&](const std::string& alias) { return lower_ascii(alias) == wanted; });
}

}  // namespace cg::findings
