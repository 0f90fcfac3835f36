// CvssError: what is wrong with a vector.
#pragma once

#include <string>

namespace cg::advisory {

struct CvssError {
  enum class Kind { unknown_version, malformed, unknown_metric, bad_value, repeated, missing };
  Kind kind;
  std::string metric;  // which one, where one is to blame
  friend bool operator==(const CvssError&, const CvssError&) = default;
};

}  // namespace cg::advisory
