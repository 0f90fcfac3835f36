// The texts of a run lie below each other in one matrix, without a gap: products do not care where
// a text ends, and attention takes each text by itself. Kernels compute rows in blocks, so each
// matrix has room for some rows more, of which nothing is ever read as a result.
#include "learn/encoder/encoder.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "learn/encoder/weights.h"

namespace cg::encoder {

using tensor::kLanes;
using tensor::kRowBlock;
using tensor::round_up;

/// One matrix of each kind, for as many tokens as the largest run had, of models with these sizes.
struct Scratch::Memory {
  std::size_t hidden = 0;
  std::size_t heads = 0;
  std::size_t middle = 0;
  std::size_t rows = 0;
  std::size_t longest = 0;
  Aligned<float> state, other, asked, context, wide;
  Aligned<std::uint8_t> whole;
  Aligned<float> scales;
  Aligned<float> keys, values, scores, some;

  void fit(const Config& config, std::size_t tokens, std::size_t length) {
    if (config.hidden != hidden || config.heads != heads || config.middle != middle) {
      *this = Memory();
      hidden = config.hidden;
      heads = config.heads;
      middle = config.middle;
    }
    if (tokens > rows) {
      rows = tokens;
      const std::size_t room = round_up(tokens, kRowBlock) + kRowBlock;
      const std::size_t stride = round_up(config.hidden, kStride);
      state = Aligned<float>(room * stride);
      other = Aligned<float>(room * stride);
      context = Aligned<float>(room * stride);
      asked = Aligned<float>(room * round_up(3 * config.hidden, kStride));
      wide = Aligned<float>(room * round_up(config.middle, kStride));
      whole = Aligned<std::uint8_t>(room * 2 * round_up(std::max(config.hidden, config.middle), 4));
      scales = Aligned<float>(room);
    }
    if (length > longest) {
      longest = length;
      const std::size_t across = round_up(length, kLanes);
      const std::size_t head = round_up(config.head(), kLanes);
      keys = Aligned<float>(across * config.head());
      values = Aligned<float>(length * head);
      scores = Aligned<float>(round_up(length, kRowBlock) * across);
      some = Aligned<float>(round_up(length, kRowBlock) * head);
    }
  }
};

Scratch::Scratch() : memory_(std::make_unique<Memory>()) {}
Scratch::~Scratch() = default;

namespace {

/// out = a * linear, for `rows` rows.
void apply(const Kernels& kernels, const Linear& linear, const float* a, std::size_t rows,
           std::uint8_t* whole, float* scales, float* out) {
  const std::size_t a_stride = round_up(linear.in, kStride);
  const std::size_t out_stride = round_up(linear.out, kStride);
  if (!linear.packed) {
    kernels.product({a, a_stride, linear.whole.data(), linear.bias.data(), out, out_stride, rows,
                     linear.in, round_up(linear.out, kernels.panel)});
    return;
  }
  const std::size_t stride = round_up(linear.in, kernels.group) * kernels.width;
  for (std::size_t row = 0; row < rows; ++row) {
    scales[row] = kernels.quantise(a + row * a_stride, linear.in, whole + row * stride);
  }
  kernels.product8({whole, stride, scales, linear.packed->b.data(), linear.packed->scales.data(),
                    linear.packed->sums.data(), linear.bias.data(), out, out_stride, rows,
                    linear.in, round_up(linear.out, kernels.panel8)});
}

/// Where a text's queries, keys and values begin, and where its context goes.
struct Attention {
  const float* asked;
  std::size_t asked_stride;
  float* context;
  std::size_t context_stride;
  std::size_t length;
};

/// The keys of a head as panels: a column is a token.
void pack_keys(const Kernels& kernels, const Attention& text, const float* from, std::size_t head,
               float* keys) {
  const std::size_t panel = kernels.narrow;
  for (std::size_t token = 0; token < text.length; ++token) {
    float* to = keys + (token - token % panel) * head + token % panel;
    const float* row = from + token * text.asked_stride;
    for (std::size_t k = 0; k < head; ++k) to[k * panel] = row[k];
  }
}

/// The values of a head as panels: a column is one of its numbers.
void pack_values(const Kernels& kernels, const Attention& text, const float* from, std::size_t head,
                 float* values) {
  const std::size_t panel = kernels.narrow;
  for (std::size_t k = 0; k < head; k += panel) {
    const std::size_t part = std::min(panel, head - k);
    for (std::size_t token = 0; token < text.length; ++token) {
      std::memcpy(values + k * text.length + token * panel, from + token * text.asked_stride + k,
                  part * sizeof(float));
    }
  }
}

}  // namespace

Encoder::Encoder(const Config& config, std::unique_ptr<const Weights> weights,
                 std::uint64_t parameters)
    : config_(config), weights_(std::move(weights)), parameters_(parameters) {}
Encoder::Encoder(Encoder&&) noexcept = default;
Encoder& Encoder::operator=(Encoder&&) noexcept = default;
Encoder::~Encoder() = default;

Result<Encoder, Error> Encoder::make(const Config& config, std::string model, Precision precision,
                                     const Kernels& kernels) {
  CG_TRY_ASSIGN(auto weights, Weights::read(config, std::move(model), precision, kernels));
  const std::uint64_t parameters = weights->parameters;
  return Encoder(config, std::move(weights), parameters);
}

std::vector<embedding::Vector> Encoder::run(std::span<const Ids* const> texts,
                                            Scratch& scratch) const {
  const Kernels& kernels = *weights_->kernels;
  const std::size_t hidden = config_.hidden;
  const std::size_t stride = round_up(hidden, kStride);
  std::size_t rows = 0;
  std::size_t longest = 0;
  for (const Ids* text : texts) {
    CG_ASSERT(!text->empty() && text->size() <= config_.positions);
    rows += text->size();
    longest = std::max(longest, text->size());
  }
  Scratch::Memory& m = *scratch.memory_;
  m.fit(config_, rows, longest);
  float* state = m.state.data();
  float* other = m.other.data();
  const auto norm_rows = [&](float* x, const float* add, const Norm& norm) {
    for (std::size_t row = 0; row < rows; ++row) {
      kernels.norm(x + row * stride, add + row * stride, norm.gain.data(), norm.shift.data(),
                   hidden, config_.epsilon);
    }
  };
  const auto attend = [&](const Attention& text) {
    const std::size_t head = config_.head();
    const std::size_t across = round_up(text.length, kLanes);
    const std::size_t some_stride = round_up(head, kLanes);
    const float scale = 1.0F / std::sqrt(static_cast<float>(head));
    for (std::size_t from = 0; from < hidden; from += head) {
      pack_keys(kernels, text, text.asked + hidden + from, head, m.keys.data());
      pack_values(kernels, text, text.asked + 2 * hidden + from, head, m.values.data());
      kernels.product_narrow({text.asked + from, text.asked_stride, m.keys.data(), nullptr,
                              m.scores.data(), across, text.length, head,
                              round_up(text.length, kernels.narrow)});
      for (std::size_t row = 0; row < text.length; ++row) {
        kernels.softmax(m.scores.data() + row * across, text.length, scale);
      }
      kernels.product_narrow({m.scores.data(), across, m.values.data(), nullptr, m.some.data(),
                              some_stride, text.length, text.length,
                              round_up(head, kernels.narrow)});
      for (std::size_t row = 0; row < text.length; ++row) {
        std::memcpy(text.context + row * text.context_stride + from,
                    m.some.data() + row * some_stride, head * sizeof(float));
      }
    }
  };

  std::size_t row = 0;
  for (const Ids* text : texts) {
    for (std::size_t i = 0; i < text->size(); ++i, ++row) {
      CG_ASSERT((*text)[i] < config_.vocabulary);
      tensor::widen(weights_->words, (*text)[i] * hidden, std::span(state + row * stride, hidden));
      kernels.norm(state + row * stride, weights_->places.data() + i * stride,
                   weights_->at_first.gain.data(), weights_->at_first.shift.data(), hidden,
                   config_.epsilon);
    }
  }
  const std::size_t asked_stride = round_up(3 * hidden, kStride);
  const std::size_t wide_stride = round_up(config_.middle, kStride);
  std::uint8_t* whole = m.whole.data();
  for (const Layer& layer : weights_->layers) {
    apply(kernels, layer.asks, state, rows, whole, m.scales.data(), m.asked.data());
    row = 0;
    for (const Ids* text : texts) {
      attend({m.asked.data() + row * asked_stride, asked_stride, m.context.data() + row * stride,
              stride, text->size()});
      row += text->size();
    }
    apply(kernels, layer.answers, m.context.data(), rows, whole, m.scales.data(), other);
    norm_rows(other, state, layer.after_attention);
    apply(kernels, layer.widens, other, rows, whole, m.scales.data(), m.wide.data());
    kernels.bend(m.wide.data(), rows * wide_stride, config_.curve);
    apply(kernels, layer.narrows, m.wide.data(), rows, whole, m.scales.data(), state);
    norm_rows(state, other, layer.after_all);
  }

  std::vector<embedding::Vector> out;
  std::vector<double> sum(hidden);
  row = 0;
  for (const Ids* text : texts) {
    std::fill(sum.begin(), sum.end(), 0.0);
    for (std::size_t i = 0; i < text->size(); ++i, ++row) {
      for (std::size_t k = 0; k < hidden; ++k) sum[k] += double{state[row * stride + k]};
    }
    embedding::Vector vector(hidden);
    for (std::size_t k = 0; k < hidden; ++k) {
      vector[k] = static_cast<float>(sum[k] / static_cast<double>(text->size()));
    }
    embedding::normalise(vector);
    out.push_back(std::move(vector));
  }
  return out;
}

}  // namespace cg::encoder
