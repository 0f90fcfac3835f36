#include "vuln/advisory/affects.h"

#include <algorithm>
#include <iterator>

namespace cg::advisory {

namespace {

void sort_unique_keys(std::vector<VersionKey>& keys) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

struct KeyedEvent {
  Event::Kind kind;
  VersionKey key;
};

/// By version; events of the same version stay in the record's order, so that a fix
/// and a new introduction at the same version read as they are written.
std::vector<KeyedEvent> sorted(const Range& range) {
  std::vector<KeyedEvent> events;
  for (const Event& event : range) events.push_back({event.kind, VersionKey(event.version)});
  std::stable_sort(events.begin(), events.end(),
                   [](const KeyedEvent& a, const KeyedEvent& b) { return a.key < b.key; });
  return events;
}

/// Ends at `limit` what would go on beyond it.
void cut(std::vector<Interval>& intervals, const VersionKey& limit) {
  std::erase_if(intervals, [&](const Interval& interval) { return interval.from >= limit; });
  for (Interval& interval : intervals) {
    if (interval.to && *interval.to < limit) continue;
    if (interval.end == IntervalEnd::fixed && *interval.to == limit) continue;
    interval.end = IntervalEnd::limit;
    interval.to = limit;
  }
}

std::optional<IntervalEnd> closes(Event::Kind kind) {
  if (kind == Event::Kind::fixed) return IntervalEnd::fixed;
  if (kind == Event::Kind::last_affected) return IntervalEnd::last_affected;
  return std::nullopt;
}

void add(const Affected& affected, PackageRule& rule) {
  for (const Range& range : affected.ranges) {
    std::vector<Interval> intervals = intervals_of(range);
    std::move(intervals.begin(), intervals.end(), std::back_inserter(rule.intervals));
    for (const Event& event : range) {
      if (event.kind == Event::Kind::fixed) rule.fixed.emplace_back(event.version);
    }
  }
  for (const semver::Version& version : affected.versions) rule.versions.emplace_back(version);
}

}  // namespace

std::vector<Interval> intervals_of(const Range& range) {
  std::vector<Interval> intervals;
  std::optional<VersionKey> limit;  // the highest one counts
  bool open = false;
  for (const KeyedEvent& event : sorted(range)) {
    const auto end = closes(event.kind);
    if (event.kind == Event::Kind::limit) {
      limit = event.key;
    } else if (end && open) {
      intervals.back().end = *end;
      intervals.back().to = event.key;
      open = false;
    } else if (!end && !open) {
      intervals.push_back({event.key});
      open = true;
    }
  }
  if (limit) cut(intervals, *limit);
  return intervals;
}

std::map<std::string, PackageRule> rules_of(const Advisory& advisory) {
  std::map<std::string, PackageRule> rules;
  for (const Affected& affected : advisory.affected) {
    PackageRule& rule = rules[affected.package];
    rule.advisory = advisory.id;
    rule.level = advisory.severity.level;
    rule.malware = advisory.malware;
    add(affected, rule);
  }
  for (auto& [package, rule] : rules) {
    std::stable_sort(rule.intervals.begin(), rule.intervals.end(),
                     [](const Interval& a, const Interval& b) { return a.from < b.from; });
    sort_unique_keys(rule.versions);
    sort_unique_keys(rule.fixed);
  }
  return rules;
}

bool covers(IntervalEnd end, std::string_view from, std::string_view to, std::string_view version) {
  if (version < from) return false;
  if (end == IntervalEnd::open) return true;
  return end == IntervalEnd::last_affected ? version <= to : version < to;
}

std::optional<Match> evaluate(const PackageRule& rule, const VersionKey& version) {
  Match found;
  found.listed = std::binary_search(rule.versions.begin(), rule.versions.end(), version);
  for (std::size_t i = 0; i < rule.intervals.size(); ++i) {
    const Interval& interval = rule.intervals[i];
    const std::string_view to = interval.to ? interval.to->bytes() : std::string_view{};
    if (!covers(interval.end, interval.from.bytes(), to, version.bytes())) continue;
    if (!found.interval) found.interval = i;
    const bool fixes = interval.end == IntervalEnd::fixed;
    if (fixes && (!found.fixed_in || interval.to < found.fixed_in)) {
      found.interval = i;
      found.fixed_in = interval.to;
    }
  }
  if (!found.listed && !found.interval) return std::nullopt;
  return found;
}

}  // namespace cg::advisory
