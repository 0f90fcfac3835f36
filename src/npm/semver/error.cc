#include "npm/semver/error.h"

#include "base/base/assert.h"

namespace cg::semver {

std::string_view describe(Error error) {
  switch (error) {
    case Error::too_long:
      return "too long";
    case Error::malformed:
      return "not a version or range as npm understands them";
    case Error::number_too_large:
      return "a number in it is too large";
    case Error::too_many_comparators:
      return "too many comparators";
    case Error::bad_identifier:
      return "not a prerelease identifier";
    case Error::nothing_to_increment:
      return "nothing to increment";
  }
  CG_ASSERT(false);
  return {};
}

}  // namespace cg::semver
