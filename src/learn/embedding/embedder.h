// Embedder: texts as vectors, so that texts which mean nearly the same lie near each other.
//
// The port that a model and the built-in embedder both have. Vectors are of length one (unless
// all of a text is nothing, then they are zero), so cosine() is their product; vectors of
// different ids must never be compared.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/domain/error.h"

namespace cg::embedding {

using Vector = std::vector<float>;

class Embedder {
 public:
  virtual ~Embedder() = default;

  /// Says all that the vectors depend on: other weights, other code or other rules, another id.
  [[nodiscard]] virtual std::string_view id() const = 0;
  [[nodiscard]] virtual std::size_t dims() const = 0;
  /// A vector per text, in order. The same text gives the same vector, whatever stands beside
  /// it. Takes any bytes; what is too long is cut as the id says.
  [[nodiscard]] virtual Result<std::vector<Vector>, Problem> embed(
      std::span<const std::string_view> texts) = 0;

 protected:
  Embedder() = default;
  Embedder(const Embedder&) = default;
  Embedder& operator=(const Embedder&) = default;
};

/// Of two vectors of one embedder, in [-1, 1]; 0 where either is zero.
[[nodiscard]] double cosine(std::span<const float> left, std::span<const float> right);

/// Makes it one long; a zero vector stays as it is. Summed in order, so equal everywhere.
void normalise(std::span<float> vector);

}  // namespace cg::embedding
