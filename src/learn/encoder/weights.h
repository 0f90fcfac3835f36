// Weights: the tensors of a model, laid out as the kernels read them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "learn/encoder/config.h"
#include "learn/tensor/kernels.h"
#include "learn/tensor/safetensors.h"

namespace cg::encoder {

using tensor::Aligned;
using tensor::Kernels;

/// Rows of floats are this many apart, or a multiple: every panel fits without a rest.
inline constexpr std::size_t kStride = 48;

/// out = in * weights + bias.
struct Linear {
  std::size_t in = 0;
  std::size_t out = 0;
  Aligned<float> bias;
  Aligned<float> whole;                   // fp32
  std::optional<tensor::Packed8> packed;  // int8
};

struct Norm {
  Aligned<float> gain;
  Aligned<float> shift;
};

struct Layer {
  Linear asks;  // queries, keys and values, side by side
  Linear answers;
  Norm after_attention;
  Linear widens;
  Linear narrows;
  Norm after_all;
};

struct Weights {
  const Kernels* kernels = nullptr;
  std::unique_ptr<const std::string> file;  // `words` is a view of it
  tensor::Tensor words;
  Aligned<float> places;  // of each position, with the first type: [positions][stride]
  Norm at_first;
  std::vector<Layer> layers;
  std::uint64_t parameters = 0;

  [[nodiscard]] static Result<std::unique_ptr<const Weights>, Error> read(const Config& config,
                                                                          std::string model,
                                                                          Precision precision,
                                                                          const Kernels& kernels);
};

}  // namespace cg::encoder
