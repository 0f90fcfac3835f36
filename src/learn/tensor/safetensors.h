// Safetensors: named arrays of numbers in one file, as models are published.
//
//   8 bytes, little-endian: the length of the header; the header, in JSON; the numbers
//
// What is accepted can be read in one way only: the numbers of the tensors lie side by side, each
// byte belongs to exactly one, and every length agrees with its shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"

namespace cg::tensor {

struct Error {
  std::string what;  // on one line, with names from the file made printable
};

inline constexpr std::size_t kMaxHeader = 16U << 20U;
inline constexpr std::size_t kMaxTensors = 20'000;
inline constexpr std::size_t kMaxDims = 8;

enum class Kind : std::uint8_t { f32, f16, bf16, other };

struct Tensor {
  std::string name;
  Kind kind = Kind::other;
  std::string kind_name;  // as the file has it: "F32"
  std::vector<std::uint64_t> shape;
  std::string_view bytes;

  [[nodiscard]] std::size_t count() const;  // of numbers
};

/// Views of a text that must stay where it is.
class Safetensors {
 public:
  [[nodiscard]] static Result<Safetensors, Error> parse(std::string_view bytes);

  [[nodiscard]] const std::vector<Tensor>& all() const { return tensors_; }  // sorted by name
  [[nodiscard]] const Tensor* find(std::string_view name) const;
  /// That tensor, which must be of numbers with a fraction and have this shape.
  [[nodiscard]] Result<const Tensor*, Error> need(const std::string& name,
                                                  std::span<const std::uint64_t> shape) const;

 private:
  std::vector<Tensor> tensors_;
};

/// Numbers [from, from + out.size()) of a tensor that need() gave.
void widen(const Tensor& tensor, std::size_t from, std::span<float> out);
/// All of them; an error names the tensor if one is infinite or no number.
[[nodiscard]] Result<Done, Error> widen_all(const Tensor& tensor, std::span<float> out);
/// The same check without a copy.
[[nodiscard]] Result<Done, Error> check_finite(const Tensor& tensor);

}  // namespace cg::tensor
