#include "learn/retrieve/retrieve.h"

#include <algorithm>

namespace cg::retrieve {

namespace {

State state_of(const Candidate& candidate, bool has_vector) {
  if (candidate.standing == Standing::excluded) return State::excluded;
  if (!candidate.example.worked) return State::negative;
  return has_vector ? State::usable : State::unfit;
}

}  // namespace

Library::Library(const Weights& weights, std::size_t dims, const std::vector<Candidate>& candidates)
    : weights_(weights), dims_(dims) {
  std::map<example::Partition, std::vector<Candidate>> parts;
  std::vector<Candidate>* last = nullptr;  // most are of the partition of the one before
  for (const Candidate& one : candidates) {
    if (last == nullptr || last->front().example.partition != one.example.partition) {
      last = &parts[one.example.partition];
    }
    last->push_back(one);
  }
  for (const auto& part : parts) {
    const std::vector<Candidate>& members = part.second;
    const auto by_id = [&](std::size_t a, std::size_t b) { return members[a].id < members[b].id; };
    std::vector<std::size_t> order(members.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    if (!std::is_sorted(order.begin(), order.end(), by_id)) {
      std::stable_sort(order.begin(), order.end(), by_id);
    }
    std::vector<Candidate> sorted;
    std::vector<Row> rows;
    sorted.reserve(order.size());
    rows.reserve(order.size());
    for (const std::size_t i : order) {
      sorted.push_back(members[i]);
      rows.push_back(members[i].vector);
    }
    parts_.emplace(part.first, Part{std::move(sorted), Index(dims, std::move(rows))});
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
  out.looked_at.reserve(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const State state = state_of(candidates[i], index.has(i));
    out.looked_at.push_back({candidates[i].id, millionths(estimates.product[i]), state});
    if (state != State::usable) continue;
    agreements[i] = agreement(weights_, asked, candidates[i].example);
    bonus[i] = static_cast<double>(agreements[i].sum);
  }
  const Wish wish{kMostNearest, static_cast<double>(weights_.vector), bonus};
  for (const Found& one : index.nearest(asked.vector, estimates, wish)) {
    const Score score = scored(weights_, agreements[one.row], one.product);
    const Band band = band_of(weights_, score.score);
    if (band == Band::miss) break;
    out.nearest.push_back({candidates[one.row].id, &candidates[one.row].example, band, score});
  }
  return out;
}

}  // namespace cg::retrieve
