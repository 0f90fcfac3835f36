#include "scan/finding.h"

namespace cg::scan {

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

}  // namespace cg::scan
