// Kernels: the arithmetic of an encoder, written once and compiled for what processors have.
//
// A level is chosen when the program starts. Within a level each number depends on its own row
// and column alone, in one order of additions, so that neither the other rows nor the number of
// threads changes a bit. Levels differ in the last bits of floats; integer products are equal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace cg::tensor {

/// Rows are computed in blocks: every matrix has room for a multiple of this.
inline constexpr std::size_t kRowBlock = 8;
/// Sums of whole numbers fit 32 bits up to here.
inline constexpr std::size_t kMaxDepth8 = 60'000;
/// What rows of floats are padded to where no panel says more.
inline constexpr std::size_t kLanes = 16;

[[nodiscard]] constexpr std::size_t round_up(std::size_t n, std::size_t to) {
  return (n + to - 1) / to * to;
}

/// Memory on lines of the cache, all zero.
template <class T>
class Aligned {
 public:
  Aligned() = default;
  explicit Aligned(std::size_t count) : lines_((count * sizeof(T) + 63) / 64) {}
  [[nodiscard]] T* data() { return reinterpret_cast<T*>(lines_.data()); }
  [[nodiscard]] const T* data() const { return reinterpret_cast<const T*>(lines_.data()); }

 private:
  struct alignas(64) Line {
    unsigned char bytes[64] = {};
  };
  std::vector<Line> lines_;
};

/// out = a * b + bias. b lies in panels of some columns: [panel][depth][column].
struct Product {
  const float* a = nullptr;
  std::size_t a_stride = 0;
  const float* b = nullptr;
  const float* bias = nullptr;  // of all columns; nullptr: none
  float* out = nullptr;
  std::size_t out_stride = 0;
  std::size_t rows = 0;  // up to kRowBlock - 1 more are read and written
  std::size_t depth = 0;
  std::size_t columns = 0;  // a multiple of a panel's
};

/// The same of whole numbers: rows of a with a scale each, columns of b likewise.
struct Product8 {
  const std::uint8_t* a = nullptr;  // of quantise()
  std::size_t a_stride = 0;         // bytes
  const float* a_scales = nullptr;
  const std::uint8_t* b = nullptr;  // of pack8()
  const float* b_scales = nullptr;
  const std::int32_t* b_sums = nullptr;
  const float* bias = nullptr;
  float* out = nullptr;
  std::size_t out_stride = 0;
  std::size_t rows = 0;
  std::size_t depth = 0;
  std::size_t columns = 0;
};

enum class Curve : std::uint8_t { gelu, gelu_tanh, relu };

/// Where a row is longer than n, up to the next multiple of kLanes, what is there may be read
/// and is written.
struct Kernels {
  std::string_view name;
  std::size_t panel;   // columns of product()
  std::size_t narrow;  // columns of product_narrow()
  void (*product)(const Product&);
  void (*product_narrow)(const Product&);
  void (*softmax)(float* row, std::size_t n, float scale);  // of row * scale
  /// x = (x + add) to mean 0 and variance 1, times gain, plus shift; 0 behind n.
  void (*norm)(float* x, const float* add, const float* gain, const float* shift, std::size_t n,
               float epsilon);
  void (*bend)(float* x, std::size_t n, Curve curve);

  std::size_t panel8;
  std::size_t group;  // how many steps of depth lie side by side
  std::size_t width;  // bytes of a whole number
  void (*product8)(const Product8&);
  /// Of a row: what its whole numbers must be multiplied with, which is no number if one of the row
  /// is none. `out` has room for `depth` rounded up to `group` of them.
  float (*quantise)(const float* x, std::size_t depth, std::uint8_t* out);
};

/// The best that this machine has.
[[nodiscard]] const Kernels& kernels();
/// All that it has, the best first.
[[nodiscard]] std::span<const Kernels* const> all_kernels();

/// `weights` is [columns][depth], as models have it. Columns are padded with zeros to a panel.
[[nodiscard]] Aligned<float> pack(std::size_t panel, std::span<const float> weights,
                                  std::size_t depth);
struct Packed8 {
  Aligned<std::uint8_t> b;
  std::vector<float> scales;  // of each column, its largest weight is 127
  std::vector<std::int32_t> sums;
};
[[nodiscard]] Packed8 pack8(const Kernels& kernels, std::span<const float> weights,
                            std::size_t depth);

}  // namespace cg::tensor
