#include "vuln/advisory/advisory.h"

#include <algorithm>
#include <cstdlib>

namespace cg::advisory {

std::string_view name(Source source) {
  switch (source) {
    case Source::osv:
      return "osv";
    case Source::ghsa:
      return "ghsa";
    case Source::malicious_packages:
      return "malicious-packages";
    case Source::nvd:
      return "nvd";
  }
  std::abort();
}

bool is_named(const Advisory& advisory, std::string_view id) {
  return advisory.id == id ||
         std::binary_search(advisory.aliases.begin(), advisory.aliases.end(), id);
}

}  // namespace cg::advisory
