#include "flow/remediate/bisection.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>

namespace cg::remediate {

std::size_t most_tries(std::size_t count) {
  return 1 + 3 * (1 + static_cast<std::size_t>(std::bit_width(count)));
}

Bisection::Bisection(std::size_t count) : tries_left_(most_tries(count)), rest_(count) {
  std::iota(rest_.begin(), rest_.end(), 0U);
}

std::optional<std::vector<std::size_t>> Bisection::next() {
  if (tries_left_ == 0) suspects_ = not_kept();
  if (tries_left_ == 0 || suspects_.size() == 1) {
    for (const std::size_t fix : suspects_) {
      std::erase(rest_, fix);
      blamed_.insert(std::lower_bound(blamed_.begin(), blamed_.end(), fix), fix);
    }
    suspects_.clear();
  }
  if (rest_ == kept_) return std::nullopt;
  --tries_left_;
  trying_ = rest_;
  if (!suspects_.empty()) {
    const auto half = suspects_.begin() + static_cast<std::ptrdiff_t>(suspects_.size() / 2);
    trying_ = kept_;
    trying_.insert(trying_.end(), suspects_.begin(), half);
    std::sort(trying_.begin(), trying_.end());
  }
  return trying_;
}

void Bisection::passed() {
  kept_ = std::move(trying_);
  for (const std::size_t fix : kept_) std::erase(suspects_, fix);
}

void Bisection::failed() {
  suspects_.clear();
  std::set_difference(trying_.begin(), trying_.end(), kept_.begin(), kept_.end(),
                      std::back_inserter(suspects_));
}

std::vector<std::size_t> Bisection::not_kept() const {
  std::vector<std::size_t> out;
  std::set_difference(rest_.begin(), rest_.end(), kept_.begin(), kept_.end(),
                      std::back_inserter(out));
  return out;
}

}  // namespace cg::remediate
