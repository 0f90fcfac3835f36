// The kernels of one level: kernels.cc includes this once for each, with
//   CG_LEVEL   the namespace          CG_TARGET  the attribute of its functions
//   CG_WIDTH   floats in a vector     CG_FLOATS  such a vector
//   CG_SPLAT(x), CG_FMA(a, b, c)      as vectors; a * b + c rounded as the level does
//   CG_ROWS    rows of a tile         CG_FMA1    the same of floats
//   CG_WHOLE   a whole number of a row, CG_OFFSET larger than it is so that it fits
//   CG_TARGET8 the attribute of those of whole numbers
//   CG_DOT(sum, a, b)   sums of 32 bits and the products of the whole numbers in 32 bits of each
//
// A tile of kRows rows and a panel stays in registers while it walks down the
// depth, in pieces that leave the panel's part in the first cache. Each sum grows in order of
// depth, whatever the piece.
namespace cg::tensor::CG_LEVEL {

constexpr std::size_t kWidth = CG_WIDTH;
constexpr std::size_t kPanel = 3 * kWidth;
constexpr std::size_t kRows = CG_ROWS;
constexpr std::size_t kPiece = 192;
constexpr std::size_t kBytes = sizeof(CG_WHOLE);
constexpr std::size_t kGroup = 4 / kBytes;  // whole numbers in 32 bits
constexpr std::int32_t kOffset = CG_OFFSET;
static_assert(kRowBlock % kRows == 0);
static_assert(kLanes % kWidth == 0);

using Floats = CG_FLOATS;
using Wholes = CG_WHOLE __attribute__((vector_size(sizeof(CG_WHOLE) * CG_WIDTH)));
using Ints = std::int32_t __attribute__((vector_size(4 * CG_WIDTH)));

#define CG_INLINE CG_TARGET __attribute__((always_inline)) inline

CG_INLINE Floats load(const float* from) {
  Floats out;
  __builtin_memcpy(&out, from, sizeof out);
  return out;
}
CG_INLINE void store(float* to, Floats value) { __builtin_memcpy(to, &value, sizeof value); }
CG_INLINE Ints load_ints(const void* from) {
  Ints out;
  __builtin_memcpy(&out, from, sizeof out);
  return out;
}
CG_INLINE Ints bits(Floats value) { return __builtin_bit_cast(Ints, value); }
CG_INLINE Floats floats(Ints value) { return __builtin_bit_cast(Floats, value); }

template <std::size_t Wide>
CG_TARGET void tile(const float* a, std::size_t a_stride, const float* b, std::size_t depth,
                    float* out, std::size_t out_stride, const float* start) {
  Floats sum[kRows][Wide];
  CG_UNROLL
  for (std::size_t r = 0; r < kRows; ++r) {
    CG_UNROLL
    for (std::size_t v = 0; v < Wide; ++v) {
      sum[r][v] = load(start == nullptr ? out + r * out_stride + v * kWidth : start + v * kWidth);
    }
  }
  for (std::size_t k = 0; k < depth; ++k) {
    Floats column[Wide];
    CG_UNROLL
    for (std::size_t v = 0; v < Wide; ++v) column[v] = load(b + (k * Wide + v) * kWidth);
    CG_UNROLL
    for (std::size_t r = 0; r < kRows; ++r) {
      const Floats x = CG_SPLAT(a[r * a_stride + k]);
      CG_UNROLL
      for (std::size_t v = 0; v < Wide; ++v) sum[r][v] = CG_FMA(x, column[v], sum[r][v]);
    }
  }
  CG_UNROLL
  for (std::size_t r = 0; r < kRows; ++r) {
    CG_UNROLL
    for (std::size_t v = 0; v < Wide; ++v) store(out + r * out_stride + v * kWidth, sum[r][v]);
  }
}

template <std::size_t Wide>
CG_TARGET void product_of(const Product& p) {
  constexpr std::size_t kColumns = Wide * kWidth;
  alignas(64) static constexpr float kNothing[kColumns] = {};
  for (std::size_t column = 0; column < p.columns; column += kColumns) {
    const float* bias = p.bias == nullptr ? kNothing : p.bias + column;
    for (std::size_t done = 0; done < p.depth || done == 0; done += kPiece) {
      const std::size_t piece = std::min(kPiece, p.depth - done);
      const float* b = p.b + column * p.depth + done * kColumns;
      for (std::size_t row = 0; row < p.rows; row += kRows) {
        tile<Wide>(p.a + row * p.a_stride + done, p.a_stride, b, piece,
                   p.out + row * p.out_stride + column, p.out_stride, done == 0 ? bias : nullptr);
      }
    }
  }
}
CG_TARGET void product(const Product& p) { product_of<3>(p); }
CG_TARGET void product_narrow(const Product& p) { product_of<1>(p); }

CG_TARGET float total(Floats value) {
  float lanes[kWidth];
  __builtin_memcpy(lanes, &value, sizeof lanes);
  float out = 0;
  for (const float lane : lanes) out += lane;
  return out;
}

/// To about 1e-7 of it; 0 behind -86.
CG_INLINE Floats exp_of(Floats x) {
  x = x > CG_SPLAT(-86.0F) ? x : CG_SPLAT(-86.0F);
  x = x < CG_SPLAT(86.0F) ? x : CG_SPLAT(86.0F);
  const Floats magic = CG_SPLAT(12582912.0F);  // adding it rounds to a whole number
  const Floats shifted = CG_FMA(x, CG_SPLAT(1.44269504F), magic);
  const Ints power = bits(shifted) - bits(magic);
  const Floats whole = shifted - magic;
  Floats r = CG_FMA(whole, CG_SPLAT(-0.693359375F), x);
  r = CG_FMA(whole, CG_SPLAT(2.12194440e-4F), r);
  Floats sum = CG_SPLAT(1.0F / 720);
  sum = CG_FMA(sum, r, CG_SPLAT(1.0F / 120));
  sum = CG_FMA(sum, r, CG_SPLAT(1.0F / 24));
  sum = CG_FMA(sum, r, CG_SPLAT(1.0F / 6));
  sum = CG_FMA(sum, r, CG_SPLAT(0.5F));
  sum = CG_FMA(sum, r, CG_SPLAT(1.0F));
  sum = CG_FMA(sum, r, CG_SPLAT(1.0F));
  return floats(bits(sum) + (power << 23));
}

CG_TARGET void softmax(float* row, std::size_t n, float scale) {
  const std::size_t end = round_up(n, kWidth);
  for (std::size_t i = n; i < end; ++i) row[i] = -1e30F;
  Floats high = load(row);
  for (std::size_t i = kWidth; i < end; i += kWidth) {
    const Floats x = load(row + i);
    high = x > high ? x : high;
  }
  float lanes[kWidth];
  __builtin_memcpy(lanes, &high, sizeof lanes);
  float most = lanes[0];
  for (const float lane : lanes) most = std::max(most, lane);
  const Floats factor = CG_SPLAT(scale);
  const Floats base = CG_SPLAT(-most * scale);
  Floats sum = CG_SPLAT(0.0F);
  for (std::size_t i = 0; i < end; i += kWidth) {
    const Floats y = exp_of(CG_FMA(load(row + i), factor, base));
    store(row + i, y);
    sum += y;  // what is behind n is too small to count
  }
  const Floats share = CG_SPLAT(1.0F / total(sum));
  for (std::size_t i = 0; i < end; i += kWidth) store(row + i, load(row + i) * share);
}

CG_TARGET void norm(float* x, const float* add, const float* gain, const float* shift,
                    std::size_t n, float epsilon) {
  const std::size_t end = round_up(n, kWidth);
  const float count = static_cast<float>(n);
  Floats sum = CG_SPLAT(0.0F);
  for (std::size_t i = 0; i < end; i += kWidth) {
    const Floats y = load(x + i) + load(add + i);
    store(x + i, y);
    if (i + kWidth <= n) sum += y;
  }
  float rest = 0;
  for (std::size_t i = n - n % kWidth; i < n; ++i) rest += x[i];
  const float mean = (total(sum) + rest) / count;
  for (std::size_t i = n; i < end; ++i) x[i] = mean;  // no part of the variance
  Floats squares = CG_SPLAT(0.0F);
  for (std::size_t i = 0; i < end; i += kWidth) {
    const Floats y = load(x + i) - CG_SPLAT(mean);
    store(x + i, y);
    squares = CG_FMA(y, y, squares);
  }
  const Floats scale = CG_SPLAT(1.0F / std::sqrt(total(squares) / count + epsilon));
  for (std::size_t i = 0; i < end; i += kWidth) {
    store(x + i, CG_FMA(load(x + i) * scale, load(gain + i), load(shift + i)));
  }
}

/// x times the share of a normal distribution below x. The error function is a rational one
/// (Abramowitz and Stegun, 7.1.26), taken from the end that does not cancel.
CG_INLINE Floats gelu(Floats x) {
  const Floats zero = CG_SPLAT(0.0F);
  const Floats size = x < zero ? zero - x : x;
  const Floats z = size * CG_SPLAT(0.70710678F);
  const Floats t = CG_SPLAT(1.0F) / CG_FMA(z, CG_SPLAT(0.3275911F), CG_SPLAT(1.0F));
  Floats sum = CG_SPLAT(1.061405429F);
  sum = CG_FMA(sum, t, CG_SPLAT(-1.453152027F));
  sum = CG_FMA(sum, t, CG_SPLAT(1.421413741F));
  sum = CG_FMA(sum, t, CG_SPLAT(-0.284496736F));
  sum = CG_FMA(sum, t, CG_SPLAT(0.254829592F));
  const Floats tail = sum * t * exp_of(zero - z * z) * CG_SPLAT(0.5F);
  return x * (x < zero ? tail : CG_SPLAT(1.0F) - tail);
}
CG_INLINE Floats gelu_tanh(Floats x) {
  const Floats cube = x * x * x;
  const Floats u = CG_SPLAT(-1.5957691F) * CG_FMA(cube, CG_SPLAT(0.044715F), x);
  return x / (CG_SPLAT(1.0F) + exp_of(u));
}

CG_TARGET void bend(float* x, std::size_t n, Curve curve) {
  const Floats zero = CG_SPLAT(0.0F);
  for (std::size_t i = 0; i < n; i += kWidth) {
    const Floats y = load(x + i);
    if (curve == Curve::gelu) {
      store(x + i, gelu(y));
    } else if (curve == Curve::gelu_tanh) {
      store(x + i, gelu_tanh(y));
    } else {
      store(x + i, y > zero ? y : zero);
    }
  }
}

// --- whole numbers ---

CG_TARGET8 void tile8(const Product8& p, const std::uint8_t* a, const std::uint8_t* b,
                     std::size_t row, std::size_t column) {
  Ints sum[kRows][3] = {};
  const std::size_t steps = (p.depth + kGroup - 1) / kGroup;
  for (std::size_t k = 0; k < steps; ++k) {
    Ints columns[3];
    CG_UNROLL
    for (std::size_t v = 0; v < 3; ++v) columns[v] = load_ints(b + (k * 3 + v) * 4 * kWidth);
    CG_UNROLL
    for (std::size_t r = 0; r < kRows; ++r) {
      std::int32_t some = 0;
      __builtin_memcpy(&some, a + r * p.a_stride + 4 * k, 4);
      CG_UNROLL
      for (std::size_t v = 0; v < 3; ++v) sum[r][v] = CG_DOT(sum[r][v], some, columns[v]);
    }
  }
  CG_UNROLL
  for (std::size_t r = 0; r < kRows; ++r) {
    const Floats scale = CG_SPLAT(p.a_scales[row + r]);
    CG_UNROLL
    for (std::size_t v = 0; v < 3; ++v) {
      const std::size_t at = column + v * kWidth;
      const Ints exact = sum[r][v] - kOffset * load_ints(p.b_sums + at);
      const Floats scaled = __builtin_convertvector(exact, Floats) * (scale * load(p.b_scales + at));
      store(p.out + (row + r) * p.out_stride + at, scaled + load(p.bias + at));
    }
  }
}

CG_TARGET8 void product8(const Product8& p) {
  const std::size_t steps = (p.depth + kGroup - 1) / kGroup;
  for (std::size_t column = 0; column < p.columns; column += kPanel) {
    for (std::size_t row = 0; row < p.rows; row += kRows) {
      tile8(p, p.a + row * p.a_stride, p.b + column * steps * 4, row, column);
    }
  }
}

CG_TARGET float quantise(const float* x, std::size_t depth, std::uint8_t* out) {
  const std::size_t full = depth - depth % kWidth;
  Floats high = CG_SPLAT(0.0F);
  for (std::size_t i = 0; i < full; i += kWidth) {
    const Floats y = load(x + i);
    const Floats size = y < CG_SPLAT(0.0F) ? CG_SPLAT(0.0F) - y : y;
    high = size > high ? size : high;
  }
  float lanes[kWidth];
  __builtin_memcpy(lanes, &high, sizeof lanes);
  float most = 0;
  for (const float lane : lanes) most = std::max(most, lane);
  for (std::size_t i = full; i < depth; ++i) most = std::max(most, std::fabs(x[i]));
  const float factor = most > 0 ? 127.0F / most : 0.0F;
  const Floats magic = CG_SPLAT(12582912.0F);
  for (std::size_t i = 0; i < full; i += kWidth) {
    const Ints whole = bits(CG_FMA(load(x + i), CG_SPLAT(factor), magic)) - bits(magic) + kOffset;
    const auto narrow = __builtin_convertvector(whole, Wholes);
    __builtin_memcpy(out + i * kBytes, &narrow, sizeof narrow);
  }
  for (std::size_t i = full; i < depth; ++i) {
    // As the vectors round: to the nearest, and half to even.
    const float shifted = CG_FMA1(x[i], factor, 12582912.0F);
    const auto whole = static_cast<CG_WHOLE>(static_cast<std::int32_t>(shifted - 12582912.0F) + kOffset);
    __builtin_memcpy(out + i * kBytes, &whole, sizeof whole);
  }
  return most / 127.0F;
}

constexpr Kernels with(std::string_view name) {
  return {name,     kPanel, kWidth,   product,  product_narrow, softmax, norm,
          bend,     kPanel, kGroup, kBytes, product8,       quantise};
}

#undef CG_INLINE
}  // namespace cg::tensor::CG_LEVEL
