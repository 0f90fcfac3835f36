#include "learn/retrieve/retrieve.h"

#include <algorithm>
#include <array>

namespace cg::retrieve {

namespace {

State state_of(const Candidate& candidate, bool has_vector) {
  if (candidate.standing == Standing::excluded) return State::excluded;
  if (!candidate.example.worked) return State::negative;
  return has_vector ? State::usable : State::unfit;
}

}  // namespace

std::string_view name(State state) {
  constexpr std::array<std::string_view, 4> kNames = {"usable", "excluded", "negative", "unfit"};
  return kNames.at(static_cast<std::size_t>(state));
}

Library::Library(const Weights& weights, std::size_t dims, const std::vector<Candidate>& candidates)
    : weights_(weights), dims_(dims) {
  std::vector<const Candidate*> sorted;
  sorted.reserve(candidates.size());
  for (const Candidate& one : candidates) sorted.push_back(&one);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Candidate* a, const Candidate* b) { return a->id < b->id; });
  std::map<example::Partition, std::vector<Candidate>> parts;
  for (const Candidate* one : sorted) parts[one->example.partition].push_back(*one);
  for (auto& [partition, members] : parts) {
    std::vector<Row> rows;
    rows.reserve(members.size());
    for (const Candidate& one : members) rows.push_back(one.vector);
    parts_.emplace(partition, Part{std::move(members), Index(dims, std::move(rows))});
  }
}

Result<Retrieved, std::string> Library::ask(const Case& asked) const {
  if (!fits(asked.vector, dims_)) {
    return fail("the vector of the case is none of " + std::to_string(dims_) +
                " finite numbers of length one");
  }
  Retrieved out;
  const auto found = parts_.find(asked.partition);
  if (found == parts_.end()) return out;
  const auto& [candidates, index] = found->second;
  const Estimates estimates = index.estimate(asked.vector);
  std::vector<Score> agreements(candidates.size());
  std::vector<double> bonus(candidates.size(), kNever);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const State state = state_of(candidates[i], index.has(i));
    out.looked_at.push_back(
        {std::string(candidates[i].id), millionths(estimates.product[i]), state});
    if (state != State::usable) continue;
    agreements[i] = agreement(weights_, asked, candidates[i].example);
    bonus[i] = static_cast<double>(agreements[i].sum);
  }
  const Wish wish{kMostNearest, static_cast<double>(weights_.vector), bonus};
  for (const Found& one : index.nearest(asked.vector, estimates, wish)) {
    const Score score = scored(weights_, agreements[one.row], one.product);
    const Band band = band_of(weights_, score.score);
    if (band == Band::miss) break;
    out.nearest.push_back(
        {std::string(candidates[one.row].id), &candidates[one.row].example, band, score});
  }
  return out;
}

}  // namespace cg::retrieve
