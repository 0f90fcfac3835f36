// Comparator: one condition on a version, such as >=1.2.3.
#pragma once

#include <string>
#include <string_view>

#include "base/base/result.h"
#include "npm/semver/version.h"

namespace cg::semver {

/// Made by parse() or any(); a range is made of them.
class Comparator {
 public:
  enum class Op { any, equal, less, less_equal, greater, greater_equal };

  /// One operator (or none, which means equal) and one whole version; empty text is any().
  [[nodiscard]] static Result<Comparator, Error> parse(std::string_view text,
                                                       const Options& options = {});
  /// True of every version. Its version() is 0.0.0 and means nothing.
  [[nodiscard]] static Comparator any();

  [[nodiscard]] Op op() const { return op_; }
  [[nodiscard]] const Version& version() const { return version_; }
  [[nodiscard]] bool is_any() const { return op_ == Op::any; }
  [[nodiscard]] bool is_lower_bound() const {
    return op_ == Op::greater || op_ == Op::greater_equal;
  }
  [[nodiscard]] bool is_upper_bound() const { return op_ == Op::less || op_ == Op::less_equal; }
  [[nodiscard]] bool is_inclusive() const {
    return op_ == Op::less_equal || op_ == Op::greater_equal;
  }
  /// Less than the least version there is: <0.0.0-0.
  [[nodiscard]] bool is_impossible() const;

  /// By order alone; what a range makes of prereleases is the range's business.
  [[nodiscard]] bool test(const Version& version) const {
    if (op_ == Op::any) return true;
    const int order = version.compare(version_);
    switch (op_) {
      case Op::any:
        return true;
      case Op::equal:
        return order == 0;
      case Op::less:
        return order < 0;
      case Op::less_equal:
        return order <= 0;
      case Op::greater:
        return order > 0;
      case Op::greater_equal:
        return order >= 0;
    }
    return false;
  }

  /// The canonical spelling: node's `value`. Empty for any().
  [[nodiscard]] std::string str() const;
  /// Both have the same str().
  [[nodiscard]] bool same_text(const Comparator& other) const {
    return op_ == other.op_ && version_.same_text(other.version_);
  }

 private:
  Comparator(Op op, Version version) : version_(std::move(version)), op_(op) {}
  Version version_;
  Op op_;
};

}  // namespace cg::semver
