#include "npm/semver/comparator.h"

#include "npm/semver/scan.h"

namespace cg::semver {
namespace {

/// Takes the operator off the front of `text`; the longest there is.
Comparator::Op take_op(std::string_view& text) {
  using Op = Comparator::Op;
  const bool less = text.starts_with('<');
  const bool greater = text.starts_with('>');
  if (less || greater) text.remove_prefix(1);
  const bool equal = text.starts_with('=');
  if (equal) text.remove_prefix(1);
  if (less) return equal ? Op::less_equal : Op::less;
  if (greater) return equal ? Op::greater_equal : Op::greater;
  return Op::equal;
}

std::string_view spelling(Comparator::Op op) {
  using Op = Comparator::Op;
  switch (op) {
    case Op::any:
    case Op::equal:
      return "";
    case Op::less:
      return "<";
    case Op::less_equal:
      return "<=";
    case Op::greater:
      return ">";
    case Op::greater_equal:
      return ">=";
  }
  return "";
}

}  // namespace

Comparator Comparator::any() { return {Op::any, *Version::parse("0.0.0")}; }

Result<Comparator, Error> Comparator::parse(std::string_view text, const Options& options) {
  text = trim_spaces(text);
  if (text.empty()) return any();
  const Op op = take_op(text);
  while (const std::size_t length = space_at(text, 0)) text.remove_prefix(length);
  // What is no version at any length is malformed, which loose ranges forgive; what
  // would be one if it were shorter is too long, which they do not.
  if (text.size() > kMaxVersionLength && !match_version(text, options)) {
    return fail(Error::malformed);
  }
  CG_TRY_ASSIGN(Version version, Version::parse(text, options));
  return Comparator(op, std::move(version));
}

bool Comparator::is_impossible() const {
  if (op_ != Op::less || !version_.has_prerelease()) return false;
  const bool zeros = version_.major() == 0 && version_.minor() == 0 && version_.patch() == 0;
  return zeros && version_.str() == "0.0.0-0";
}

std::string Comparator::str() const {
  if (is_any()) return {};
  return std::string(spelling(op_)) + version_.str();
}

}  // namespace cg::semver
