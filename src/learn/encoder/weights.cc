#include "learn/encoder/weights.h"

#include <algorithm>
#include <array>

namespace cg::encoder {

namespace {

using tensor::round_up;
using tensor::Safetensors;
using tensor::Tensor;

class Loader {
 public:
  Loader(const Config& config, const Safetensors& file, Precision precision, const Kernels& kernels)
      : config_(config), file_(file), precision_(precision), kernels_(kernels) {
    // Saved from a model with a task on top, or from the encoder alone.
    if (file.find("bert.embeddings.word_embeddings.weight") != nullptr) prefix_ = "bert.";
  }

  Result<const Tensor*, Error> table(const std::string& name, std::size_t rows) {
    CG_TRY_ASSIGN(const Tensor* found,
                  file_.need(prefix_ + name, std::array<std::uint64_t, 2>{rows, config_.hidden}));
    CG_TRY(tensor::check_finite(*found));
    return found;
  }

  Result<Norm, Error> norm(const std::string& name) {
    // The first models of the family were saved under other names.
    const bool old = file_.find(prefix_ + name + ".gamma") != nullptr &&
                     file_.find(prefix_ + name + ".weight") == nullptr;
    Norm out;
    CG_TRY_ASSIGN(out.gain, row({name + (old ? ".gamma" : ".weight")}, config_.hidden));
    CG_TRY_ASSIGN(out.shift, row({name + (old ? ".beta" : ".bias")}, config_.hidden));
    return out;
  }

  /// Several of one size are laid side by side.
  Result<Linear, Error> linear(const std::vector<std::string>& names, std::size_t in,
                               std::size_t each) {
    Linear out{in, each * names.size(), {}, {}, {}};
    std::vector<const Tensor*> found;
    std::vector<std::string> biases;
    for (const std::string& name : names) {
      CG_TRY_ASSIGN(const Tensor* one,
                    file_.need(prefix_ + name + ".weight", std::array<std::uint64_t, 2>{each, in}));
      found.push_back(one);
      biases.push_back(name + ".bias");
    }
    CG_TRY_ASSIGN(out.bias, row(biases, each));
    // Room is made for what is there, never for what a config only claims.
    std::vector<float> weights(out.out * in);
    std::span<float> rest(weights);
    for (const Tensor* one : found) {
      CG_TRY(tensor::widen_all(*one, rest.first(each * in)));
      rest = rest.subspan(each * in);
    }
    if (precision_ == Precision::int8) {
      out.packed = tensor::pack8(kernels_, weights, in);
    } else {
      out.whole = tensor::pack(kernels_.panel, weights, in);
    }
    return out;
  }

  Result<Layer, Error> layer(std::size_t number) {
    const std::string of = "encoder.layer." + std::to_string(number) + ".";
    const std::string self = of + "attention.self.";
    Layer out;
    CG_TRY_ASSIGN(out.asks, linear({self + "query", self + "key", self + "value"}, config_.hidden,
                                   config_.hidden));
    CG_TRY_ASSIGN(out.answers,
                  linear({of + "attention.output.dense"}, config_.hidden, config_.hidden));
    CG_TRY_ASSIGN(out.after_attention, norm(of + "attention.output.LayerNorm"));
    CG_TRY_ASSIGN(out.widens, linear({of + "intermediate.dense"}, config_.hidden, config_.middle));
    CG_TRY_ASSIGN(out.narrows, linear({of + "output.dense"}, config_.middle, config_.hidden));
    CG_TRY_ASSIGN(out.after_all, norm(of + "output.LayerNorm"));
    return out;
  }

 private:
  Result<Aligned<float>, Error> row(const std::vector<std::string>& names, std::size_t each) {
    Aligned<float> out(round_up(each * names.size(), kStride));
    float* to = out.data();
    for (const std::string& name : names) {
      CG_TRY_ASSIGN(const Tensor* found,
                    file_.need(prefix_ + name, std::array<std::uint64_t, 1>{each}));
      CG_TRY(tensor::widen_all(*found, std::span(to, each)));
      to += each;
    }
    return out;
  }

  const Config& config_;
  const Safetensors& file_;
  Precision precision_;
  const Kernels& kernels_;
  std::string prefix_;
};

}  // namespace

Result<std::unique_ptr<const Weights>, Error> Weights::read(const Config& config, std::string model,
                                                            Precision precision,
                                                            const Kernels& kernels) {
  auto out = std::make_unique<Weights>();
  out->kernels = &kernels;
  out->file = std::make_unique<const std::string>(std::move(model));
  CG_TRY_ASSIGN(const Safetensors file, Safetensors::parse(*out->file));
  for (const Tensor& tensor : file.all()) out->parameters += tensor.count();
  Loader loader(config, file, precision, kernels);
  CG_TRY_ASSIGN(const Tensor* words,
                loader.table("embeddings.word_embeddings.weight", config.vocabulary));
  CG_TRY_ASSIGN(const Tensor* places,
                loader.table("embeddings.position_embeddings.weight", config.positions));
  CG_TRY_ASSIGN(const Tensor* types,
                loader.table("embeddings.token_type_embeddings.weight", config.types));
  out->words = *words;
  const std::size_t stride = round_up(config.hidden, kStride);
  out->places = Aligned<float>(config.positions * stride);
  std::vector<float> type(config.hidden);
  tensor::widen(*types, 0, type);
  for (std::size_t i = 0; i < config.positions; ++i) {
    float* row = out->places.data() + i * stride;
    tensor::widen(*places, i * config.hidden, std::span(row, config.hidden));
    for (std::size_t k = 0; k < config.hidden; ++k) row[k] += type[k];
  }
  CG_TRY_ASSIGN(out->at_first, loader.norm("embeddings.LayerNorm"));
  for (std::size_t i = 0; i < config.layers; ++i) {
    CG_TRY_ASSIGN(Layer layer, loader.layer(i));
    out->layers.push_back(std::move(layer));
  }
  return std::unique_ptr<const Weights>(std::move(out));
}

}  // namespace cg::encoder
