// Encoder: a sentence encoder of the BERT family, computed on this machine's processor.
//
// Token ids go in, a vector of length one comes out: embeddings, layers of attention, the mean of
// all tokens. In `int8` the large products are of whole numbers: weights scaled by column when
// the model is read, texts by token while it runs. A text gives the same bits whatever texts
// stand beside it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "learn/embedding/embedder.h"
#include "learn/encoder/config.h"

namespace cg::encoder {

using Ids = std::vector<std::uint32_t>;

/// Those of the model, laid out as kernels read them (learn/encoder/weights.h).
struct Weights;
/// What a run writes into between its steps; each thread has its own, for any encoder.
class Scratch;

class Encoder {
 public:
  /// `model` is model.safetensors. `kernels` outlive the encoder.
  [[nodiscard]] static Result<Encoder, Error> make(const Config& config, std::string model,
                                                   Precision precision,
                                                   const tensor::Kernels& kernels);
  Encoder(Encoder&&) noexcept;
  Encoder& operator=(Encoder&&) noexcept;
  ~Encoder();

  /// A vector per text. Each has 1 to config().positions ids below config().vocabulary. Weights
  /// that are large enough overflow: then a vector is of numbers that are none.
  [[nodiscard]] std::vector<embedding::Vector> run(std::span<const Ids* const> texts,
                                                   Scratch& scratch) const;

  [[nodiscard]] const Config& config() const { return config_; }
  /// Of all tensors in the file.
  [[nodiscard]] std::uint64_t parameters() const { return parameters_; }

 private:
  Encoder(const Config& config, std::unique_ptr<const Weights> weights, std::uint64_t parameters);

  Config config_;
  std::unique_ptr<const Weights> weights_;
  std::uint64_t parameters_;
};

class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

 private:
  friend class Encoder;
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace cg::encoder
