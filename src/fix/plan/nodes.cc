// Which nodes a package leaves out.
//
// Whether a range takes a version changes only at the versions that its conditions name. So in
// each line the first release, the last one, those versions and the ones right after them are
// all that has to be asked; what lies between two of them is like the lower one.
#include "fix/plan/nodes.h"

#include <algorithm>
#include <compare>
#include <optional>
#include <vector>

namespace cg::plan {

namespace {

constexpr std::size_t kMaxConditions = 64;  // of a range; real ones have under ten
constexpr std::size_t kMaxText = 80;
constexpr std::size_t kMaxGaps = 6;  // told one by one

struct Point {
  std::uint64_t major = 0, minor = 0, patch = 0;
  friend auto operator<=>(const Point&, const Point&) = default;
};

/// A line of releases, from its first to its last.
struct NodeLine {
  Point first;
  std::optional<Point> last;  // none: not known to have ended
  bool lasting = false;       // maintained for years
};

/// What node released. 1 to 3 were never node's.
constexpr NodeLine kLines[] = {
    {{0, 10, 0}, Point{0, 10, 48}, true},
    {{0, 12, 0}, Point{0, 12, 18}, true},
    {{4, 0, 0}, Point{4, 9, 1}, true},
    {{5, 0, 0}, Point{5, 12, 0}, false},
    {{6, 0, 0}, Point{6, 17, 1}, true},
    {{7, 0, 0}, Point{7, 10, 1}, false},
    {{8, 0, 0}, Point{8, 17, 0}, true},
    {{9, 0, 0}, Point{9, 11, 2}, false},
    {{10, 0, 0}, Point{10, 24, 1}, true},
    {{11, 0, 0}, Point{11, 15, 0}, false},
    {{12, 0, 0}, Point{12, 22, 12}, true},
    {{13, 0, 0}, Point{13, 14, 0}, false},
    {{14, 0, 0}, Point{14, 21, 3}, true},
    {{15, 0, 0}, Point{15, 14, 0}, false},
    {{16, 0, 0}, Point{16, 20, 2}, true},
    {{17, 0, 0}, Point{17, 9, 1}, false},
    {{18, 0, 0}, Point{18, 20, 8}, true},
    {{19, 0, 0}, Point{19, 9, 0}, false},
    {{20, 0, 0}, std::nullopt, true},
    {{21, 0, 0}, Point{21, 7, 3}, false},
    {{22, 0, 0}, std::nullopt, true},
    {{23, 0, 0}, Point{23, 11, 1}, false},
    {{24, 0, 0}, std::nullopt, true},
    {{25, 0, 0}, std::nullopt, false},
    {{26, 0, 0}, std::nullopt, true},
    // All that comes after, as one.
    {{27, 0, 0}, std::nullopt, true},
};
constexpr std::size_t kBeyond = std::size(kLines) - 1;

std::string full(const Point& p) {
  return std::to_string(p.major) + "." + std::to_string(p.minor) + "." + std::to_string(p.patch);
}

std::string brief(const Point& p) {
  return p.patch > 0 ? full(p) : std::to_string(p.major) + "." + std::to_string(p.minor);
}

std::string label(std::size_t line) {
  const Point& first = kLines[line].first;
  return first.major == 0 ? brief(first) : std::to_string(first.major);
}

bool is_in(const Point& p, std::size_t line) {
  const NodeLine& of = kLines[line];
  if (p < of.first || (of.last && *of.last < p)) return false;
  return line == kBeyond || p.major == of.first.major;
}

/// What the conditions name, and what comes right after: false if there are too many.
bool add_bounds(const semver::Range& range, std::vector<Point>& out) {
  std::size_t conditions = 0;
  for (std::size_t i = 0; i < range.set_count(); ++i) {
    conditions += range.set(i).size();
    if (conditions > kMaxConditions) return false;
    for (const semver::Comparator& one : range.set(i)) {
      if (one.is_any()) continue;
      const semver::Version& at = one.version();
      out.push_back({at.major(), at.minor(), at.patch()});
      if (at.patch() < semver::kMaxNumber) {
        out.push_back({at.major(), at.minor(), at.patch() + 1});
      }
    }
  }
  return true;
}

bool takes(const semver::Range& range, const Point& p) {
  const auto version = semver::Version::parse(full(p));
  return version && range.test(*version);
}

/// Nodes of one line, or of several one after the other.
struct Gap {
  std::size_t first_line = 0, last_line = 0;
  Point from;
  std::optional<Point> end;  // the first that is none of them; none: to the end of the line
};

/// No line that lasts is between the two.
bool adjoin(std::size_t a, std::size_t b) {
  return std::none_of(kLines + a + 1, kLines + b,
                      [](const NodeLine& line) { return line.lasting; });
}

void add_gap(Gap gap, std::vector<Gap>& gaps) {
  const bool goes_on = !gaps.empty() && !gaps.back().end &&
                       gap.from == kLines[gap.first_line].first &&
                       adjoin(gaps.back().last_line, gap.first_line);
  if (!goes_on) {
    gaps.push_back(gap);
    return;
  }
  gaps.back().last_line = gap.last_line;
  gaps.back().end = gap.end;
}

std::string words_of(const Gap& gap) {
  const bool whole = gap.from == kLines[gap.first_line].first;
  const bool one = gap.first_line == gap.last_line;
  std::string from = whole ? label(gap.first_line) : brief(gap.from);
  if (!gap.end) {
    if (gap.last_line == kBeyond) return from + " and later";
    if (!one) return from + " to " + label(gap.last_line);
    return whole ? from : label(gap.first_line) + " from " + from + " on";
  }
  const Point& end = *gap.end;
  if (gap.last_line == kBeyond) return from + " to before " + brief(end);
  if (end.patch == 0 && end.minor == gap.from.minor + 1 && gap.from.patch > 0 && one) {
    return full(gap.from) + " and later of " + brief({gap.from.major, gap.from.minor, 0});
  }
  const std::string to = end.patch > 0 ? full({end.major, end.minor, end.patch - 1})
                                       : brief({end.major, end.minor - 1, 0});
  if (one) from = end.patch > 0 ? full(gap.from) : brief(gap.from);
  return from == to ? from : from + " to " + to;
}

}  // namespace

std::string left_out(const semver::Range& repository, const semver::Range& package,
                     std::span<const semver::Range> before) {
  if (repository.str().empty()) return {};
  std::vector<Point> named;
  if (!add_bounds(repository, named)) return "all of them, for all that can be told,";
  std::vector<Point> bounds = named;
  bool told = add_bounds(package, bounds);
  for (const semver::Range& range : before) told = told && add_bounds(range, bounds);
  if (!told) return "all of them, for all that can be told,";
  std::uint64_t top = kLines[kBeyond].first.major;
  for (const Point& p : bounds) top = std::max(top, p.major);
  bounds.push_back({std::min(top + 1, semver::kMaxNumber), 0, 0});

  std::vector<Gap> gaps;
  for (std::size_t line = 0; line <= kBeyond; ++line) {
    const auto here = [&](const Point& p) { return is_in(p, line); };
    if (!kLines[line].lasting && std::none_of(named.begin(), named.end(), here)) continue;
    std::vector<Point> points = {kLines[line].first};
    std::copy_if(bounds.begin(), bounds.end(), std::back_inserter(points), here);
    if (kLines[line].last) points.push_back(*kLines[line].last);
    std::sort(points.begin(), points.end());
    std::optional<Gap> open;
    for (const Point& p : points) {
      const bool out = takes(repository, p) && !takes(package, p) &&
                       std::all_of(before.begin(), before.end(),
                                   [&](const semver::Range& range) { return takes(range, p); });
      if (out && !open) open = Gap{line, line, p, std::nullopt};
      if (out || !open) continue;
      open->end = p;
      add_gap(*open, gaps);
      open.reset();
    }
    if (open) add_gap(*open, gaps);
  }
  std::string out;
  for (std::size_t i = 0; i < gaps.size() && i < kMaxGaps; ++i) {
    out += (out.empty() ? "" : ", ") + words_of(gaps[i]);
  }
  return gaps.size() > kMaxGaps ? out + " and others" : out;
}

std::string text_of(const semver::Range& range) {
  std::string out;
  const std::string text = range.str();
  for (std::size_t i = 0; i < text.size(); ++i) {
    // What a caret or an x leaves behind: <15.0.0-0.
    const bool least = text.compare(i, 2, "-0") == 0 &&
                       (i + 2 == text.size() || text[i + 2] == ' ' || text[i + 2] == '|');
    if (least) {
      ++i;
    } else if (text.compare(i, 2, "||") == 0) {
      out += " || ";
      ++i;
    } else {
      out += text[i];
    }
  }
  if (out.size() > kMaxText) out = out.substr(0, kMaxText) + "...";
  return out.empty() ? "*" : out;
}

}  // namespace cg::plan
