// Config: the sizes of a model of the BERT family, from its config.json.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/base/result.h"
#include "learn/tensor/kernels.h"
#include "learn/tensor/safetensors.h"

namespace cg::encoder {

using tensor::Error;

enum class Precision : std::uint8_t { fp32, int8 };

inline constexpr std::size_t kMaxConfig = 1U << 20U;

struct Config {
  std::size_t hidden = 0;
  std::size_t layers = 0;
  std::size_t heads = 0;
  std::size_t middle = 0;     // between the two products behind attention
  std::size_t positions = 0;  // tokens of a text
  std::size_t types = 0;
  std::size_t vocabulary = 0;
  tensor::Curve curve = tensor::Curve::gelu;
  float epsilon = 1e-12F;

  [[nodiscard]] std::size_t head() const { return hidden / heads; }
};

/// Sizes out of bounds, another family and what is not computed here are errors.
[[nodiscard]] Result<Config, Error> parse_config(std::string_view json);

}  // namespace cg::encoder
