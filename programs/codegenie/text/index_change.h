// How a new index is told, whether it was refreshed or imported.
#pragma once

#include <string>
#include <vector>

#include "report.h"
#include "vuln/vulnindex/place.h"

namespace cg::program {

struct IndexChange {
  std::string verb;    // refresh, import
  std::string origin;  // files or hosts
  vulnindex::Replacement replacement;
  vulnindex::Tally tally;
};

[[nodiscard]] Report change_report(IndexChange change);

/// {"digest": …, "built": …, "advisories": …}: what several outputs say of an index.
[[nodiscard]] json::Value facts_json(const vulnindex::Summary& summary);

}  // namespace cg::program
