#include "npm/semver/subset.h"

#include <algorithm>
#include <optional>
#include <span>

namespace cg::semver {
namespace {

using Op = Comparator::Op;
using Set = std::span<const Comparator>;

bool is_only_any(Set set) { return set.size() == 1 && set.front().is_any(); }

bool satisfies_one(const Version& version, const Comparator& comparator, const Options& options) {
  return satisfies_all({&comparator, 1}, version, options);
}

/// The stricter of two lower bounds; `a` may be absent.
const Comparator* higher(const Comparator* a, const Comparator* b) {
  if (a == nullptr) return b;
  const int order = a->version().compare(b->version());
  if (order != 0) return order > 0 ? a : b;
  return b->op() == Op::greater && a->op() == Op::greater_equal ? b : a;
}

const Comparator* lower(const Comparator* a, const Comparator* b) {
  if (a == nullptr) return b;
  const int order = a->version().compare(b->version());
  if (order != 0) return order < 0 ? a : b;
  return b->op() == Op::less && a->op() == Op::less_equal ? b : a;
}

/// The tightest bounds of an alternative.
struct Bounds {
  const Comparator* low = nullptr;
  const Comparator* high = nullptr;
  const Comparator* exact = nullptr;
  bool impossible = false;
  bool one_version = false;  // low and high meet

  Bounds(Set set, const Options& options);
};

Bounds::Bounds(Set set, const Options& options) {
  for (const Comparator& comparator : set) {
    if (comparator.is_lower_bound()) {
      low = higher(low, &comparator);
    } else if (comparator.is_upper_bound()) {
      high = lower(high, &comparator);
    } else {
      impossible = impossible || exact != nullptr;
      exact = &comparator;
    }
  }
  if (low != nullptr && high != nullptr) {
    const int order = low->version().compare(high->version());
    one_version = order == 0;
    const bool inclusive = low->is_inclusive() && high->is_inclusive();
    impossible = impossible || order > 0 || (order == 0 && !inclusive);
  }
  if (exact == nullptr || impossible) return;
  for (const Comparator* bound : {low, high}) {
    if (bound != nullptr && !satisfies_one(exact->version(), *bound, options)) impossible = true;
  }
}

/// A bound with a prerelease admits prereleases of its version, so some comparator of
/// `dom` must too. "<1.2.3-0" is not such a bound: it is "<1.2.3" as people mean it.
bool admits_more_prereleases(const Comparator* bound, Set dom, const Options& options) {
  if (bound == nullptr || options.include_prerelease || !bound->version().has_prerelease()) {
    return false;
  }
  const Version& version = bound->version();
  const std::string text = version.str();
  if (bound->op() == Op::less && text.ends_with("-0") && text.find('-') == text.size() - 2) {
    return false;
  }
  return std::none_of(dom.begin(), dom.end(), [&](const Comparator& comparator) {
    return comparator.version().has_prerelease() && comparator.version().same_release(version);
  });
}

/// `comparator` lets through all that `bounds` let through, seen from one end.
bool covers_low(const Comparator& comparator, const Bounds& bounds) {
  if (bounds.low == nullptr) return true;
  if (comparator.is_lower_bound()) return higher(bounds.low, &comparator) == bounds.low;
  return !bounds.low->is_inclusive() || comparator.test(bounds.low->version());
}

bool covers_high(const Comparator& comparator, const Bounds& bounds) {
  if (bounds.high == nullptr) return true;
  if (comparator.is_upper_bound()) return lower(bounds.high, &comparator) == bounds.high;
  return !bounds.high->is_inclusive() || comparator.test(bounds.high->version());
}

bool covers(Set dom, const Bounds& bounds, const Options& options) {
  const bool bounded = bounds.low != nullptr || bounds.high != nullptr;
  bool has_low = false;
  bool has_high = false;
  for (const Comparator& comparator : dom) {
    has_low = has_low || comparator.is_lower_bound();
    has_high = has_high || comparator.is_upper_bound();
    if (!covers_low(comparator, bounds) || !covers_high(comparator, bounds)) return false;
    if (comparator.op() == Op::equal && bounded && !bounds.one_version) return false;
  }
  // Open at an end where `dom` is not.
  if (bounds.low != nullptr && has_high && bounds.high == nullptr) return false;
  if (bounds.high != nullptr && has_low && bounds.low == nullptr) return false;
  return !admits_more_prereleases(bounds.low, dom, options) &&
         !admits_more_prereleases(bounds.high, dom, options);
}

enum class Fit { yes, no, nothing_to_fit };

Fit fits(Set sub, Set dom, const Options& options) {
  static const Comparator kAll = *Comparator::parse(">=0.0.0");
  static const Comparator kAllWithPrereleases = *Comparator::parse(">=0.0.0-0");
  const bool dom_any = is_only_any(dom);
  if (is_only_any(sub)) {
    if (dom_any) return Fit::yes;
    sub = {options.include_prerelease ? &kAllWithPrereleases : &kAll, 1};
  }
  if (dom_any) {
    if (options.include_prerelease) return Fit::yes;
    dom = {&kAll, 1};
  }
  const Bounds bounds(sub, options);
  if (bounds.impossible) return Fit::nothing_to_fit;
  if (bounds.exact != nullptr) {
    const bool all = std::all_of(dom.begin(), dom.end(), [&](const Comparator& comparator) {
      return satisfies_one(bounds.exact->version(), comparator, options);
    });
    return all ? Fit::yes : Fit::no;
  }
  return covers(dom, bounds, options) ? Fit::yes : Fit::no;
}

/// No two of its comparators exclude each other.
bool is_satisfiable(Set set, const Options& options) {
  for (std::size_t i = set.size(); i-- > 1;) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!intersects(set[i], set[j], options)) return false;
    }
  }
  return true;
}

bool intersects(Set a, Set b, const Options& options) {
  return std::all_of(a.begin(), a.end(), [&](const Comparator& x) {
    return std::all_of(b.begin(), b.end(),
                       [&](const Comparator& y) { return intersects(x, y, options); });
  });
}

/// No version that npm would consider is below.
bool is_floor(const Comparator& comparator, const Options& options) {
  if (options.include_prerelease) return comparator.is_impossible();
  const Version& version = comparator.version();
  return comparator.op() == Op::less && version.major() == 0 && version.minor() == 0 &&
         version.patch() == 0;
}

/// What outside() looks at in one alternative, with "above" and "below" exchanged
/// where it looks the other way.
struct View {
  int sign;
  Op out;
  Op out_equal;
  [[nodiscard]] int compare(const Version& a, const Version& b) const {
    return sign * a.compare(b);
  }
};

bool is_outside_set(const Version& version, Set set, const View& view) {
  const Comparator* high = &set.front();
  const Comparator* low = &set.front();
  for (const Comparator& comparator : set) {
    if (view.compare(comparator.version(), high->version()) > 0) {
      high = &comparator;
    } else if (view.compare(comparator.version(), low->version()) < 0) {
      low = &comparator;
    }
  }
  // Open towards that side.
  if (high->op() == view.out || high->op() == view.out_equal) return false;
  const int order = view.compare(version, low->version());
  if (low->op() == Op::equal || low->op() == view.out) return order > 0;
  return low->op() != view.out_equal || order >= 0;
}

}  // namespace

bool subset(const Range& sub, const Range& dom) {
  if (&sub == &dom) return true;
  bool saw_something = false;
  for (std::size_t i = 0; i < sub.set_count(); ++i) {
    bool fitted = false;
    for (std::size_t j = 0; j < dom.set_count() && !fitted; ++j) {
      const Fit fit =
          sub.same_source(i, dom, j) ? Fit::yes : fits(sub.set(i), dom.set(j), sub.options());
      saw_something = saw_something || fit != Fit::nothing_to_fit;
      fitted = fit == Fit::yes;
    }
    if (!fitted && saw_something) return false;
  }
  return true;
}

bool intersects(const Range& a, const Range& b) {
  const Options& options = a.options();
  for (std::size_t i = 0; i < a.set_count(); ++i) {
    if (!is_satisfiable(a.set(i), options)) continue;
    for (std::size_t j = 0; j < b.set_count(); ++j) {
      if (intersects(a.set(i), b.set(j), options) && is_satisfiable(b.set(j), options)) return true;
    }
  }
  return false;
}

bool intersects(const Comparator& a, const Comparator& b, const Options& options) {
  if (a.is_any()) return true;
  if (a.op() == Op::equal) return satisfies_one(a.version(), b, options);
  if (b.is_any()) return true;
  if (b.op() == Op::equal) return satisfies_one(b.version(), a, options);
  if (is_floor(a, options) || is_floor(b, options)) return false;
  if (a.is_lower_bound() == b.is_lower_bound()) return true;
  if (a.is_inclusive() && b.is_inclusive() && a.version().same_text(b.version())) return true;
  const int order = a.version().compare(b.version());
  return a.is_lower_bound() ? order < 0 : order > 0;
}

bool is_outside(const Version& version, const Range& range, Side side) {
  if (range.test(version)) return false;
  static const Comparator kAll = *Comparator::parse(">=0.0.0");
  const View view = side == Side::above ? View{1, Op::greater, Op::greater_equal}
                                        : View{-1, Op::less, Op::less_equal};
  for (std::size_t i = 0; i < range.set_count(); ++i) {
    const Set set = is_only_any(range.set(i)) ? Set(&kAll, 1) : range.set(i);
    if (!is_outside_set(version, set, view)) return false;
  }
  return true;
}

}  // namespace cg::semver
