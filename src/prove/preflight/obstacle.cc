#include "prove/preflight/obstacle.h"

namespace cg::preflight {

std::string_view name(Severity severity) {
  switch (severity) {
    case Severity::blocks:
      return "blocks";
    case Severity::may_fail:
      return "may_fail";
    case Severity::note:
      break;
  }
  return "note";
}

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::package_manager:
      return "package_manager";
    case Kind::node_version:
      return "node_version";
    case Kind::address:
      return "address";
    case Kind::install_script:
      return "install_script";
    case Kind::own_script:
      return "own_script";
    case Kind::service:
      return "service";
    case Kind::browser:
      break;
  }
  return "browser";
}

}  // namespace cg::preflight
