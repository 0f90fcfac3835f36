// Why a version, a range or an increment is refused.
#pragma once

#include <string_view>

namespace cg::semver {

enum class Error {
  too_long,              // a version over 256 characters, a range over 64 KiB
  malformed,             // does not follow the grammar
  number_too_large,      // a component above 2^53 - 1
  too_many_comparators,  // a range with more alternatives or conditions than we take
  bad_identifier,        // not fit to stand in a prerelease, or missing where one is needed
  nothing_to_increment,  // the result would be the version itself
};

/// A few words, without the text that was refused.
[[nodiscard]] std::string_view describe(Error error);

}  // namespace cg::semver
