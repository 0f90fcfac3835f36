#include "learn/embedding/embedder.h"

#include <algorithm>
#include <cmath>

namespace cg::embedding {

double cosine(std::span<const float> left, std::span<const float> right) {
  CG_ASSERT(left.size() == right.size());
  double product = 0;
  double of_left = 0;
  double of_right = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const double a = left[i];
    const double b = right[i];
    product += a * b;
    of_left += a * a;
    of_right += b * b;
  }
  const double both = std::sqrt(of_left) * std::sqrt(of_right);
  return both > 0 ? std::clamp(product / both, -1.0, 1.0) : 0;
}

void normalise(std::span<float> vector) {
  double sum = 0;
  for (const float x : vector) sum += static_cast<double>(x) * static_cast<double>(x);
  if (!(sum > 0)) return;
  const double scale = 1 / std::sqrt(sum);
  for (float& x : vector) x = static_cast<float>(static_cast<double>(x) * scale);
}

}  // namespace cg::embedding
