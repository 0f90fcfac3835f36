#include <algorithm>
#include <map>
#include <set>

#include "base/base/text.h"
#include "prove/gate/comparison.h"
#include "prove/gate/judges.h"

namespace cg::gate {

namespace {

/// An advisory and the package it speaks of.
using Subject = std::pair<std::string_view, std::string_view>;

AdvisoryNumbers numbers_of(const std::vector<AdvisoryAt>& list) {
  std::set<std::string_view> ids;
  std::set<std::string_view> locations;
  for (const AdvisoryAt& at : list) {
    ids.insert(at.id);
    locations.insert(at.location);
  }
  return {locations.size(), ids.size()};
}

std::map<Subject, std::size_t> count(const std::vector<AdvisoryAt>& list) {
  std::map<Subject, std::size_t> out;
  for (const AdvisoryAt& at : list) ++out[{at.id, at.package}];
  return out;
}

std::size_t count_of(const std::map<Subject, std::size_t>& counts, const Subject& subject) {
  const auto found = counts.find(subject);
  return found == counts.end() ? 0 : found->second;
}

}  // namespace

void judge_advisories(const Evidence& evidence, Signal& signal) {
  const Comparison& comparison = evidence.comparison;
  if (comparison.advisories_before) signal.before = numbers_of(*comparison.advisories_before);
  if (comparison.advisories_after) signal.after = numbers_of(*comparison.advisories_after);
  Reasons reasons(signal.reasons);
  if (!comparison.advisories_before || !comparison.advisories_after) {
    signal.state = State::missing;
    reasons.add("the lock was not compared with the advisories");
    return;
  }
  signal.state = State::passed;
  const auto bad = [&](const std::string& reason) {
    signal.state = State::failed;
    reasons.add(reason);
  };
  const std::set<AdvisoryAt> after(comparison.advisories_after->begin(),
                                   comparison.advisories_after->end());
  for (const AdvisoryAt& target : comparison.to_fix) {
    if (after.contains(target)) bad(target.id + " still applies to " + target.location);
  }
  // Copies move when a lock changes, so a place alone does not make one new; but there may
  // be no more of them than before, less those that were to go.
  const auto before = count(*comparison.advisories_before);
  const auto to_go = count(comparison.to_fix);
  for (const auto& [subject, now] : count(*comparison.advisories_after)) {
    const std::size_t was = count_of(before, subject);
    const std::size_t gone = count_of(to_go, subject);
    if (now <= was - std::min(was, gone)) continue;
    bad(std::string(subject.first) + " applies to " + counted(now, "copy", "copies") + " of " +
        std::string(subject.second) + ", to " + grouped(was) + " before" +
        (gone == 0 ? "" : ", of which " + grouped(gone) + " should be gone"));
  }
  const auto& numbers = std::get<AdvisoryNumbers>(*signal.after);
  signal.words = grouped(std::get<AdvisoryNumbers>(*signal.before).advisories) + " -> " +
                 grouped(numbers.advisories) + (signal.passed() ? ", none new" : "");
}

}  // namespace cg::gate
