// must fail: 'cg::remediate::Proven::Proven\(std::vector<cg::gate::Passed>\)' is private
//
// What a branch is proven by is never nothing: it comes of gates that passed.
#include <optional>
#include <utility>
#include <vector>

#include "flow/remediate/standing.h"

std::optional<cg::remediate::Proven> forge(std::vector<cg::gate::Passed> passed) {
#ifdef MUST_FAIL
  static_cast<void>(passed);
  return cg::remediate::Proven(std::vector<cg::gate::Passed>());
#else
  return cg::remediate::Proven::of(std::move(passed));
#endif
}
