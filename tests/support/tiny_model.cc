#include "support/tiny_model.h"

#include <cstdint>
#include <cstring>
#include <random>

namespace cg::test {

namespace {

using Tensors = std::map<std::string, TinyModel::Tensor>;

/// Weights of the size that training leaves: a norm's gain near one, the rest near zero.
class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}
  void add(const std::string& name, std::vector<int> shape, float centre, float spread) {
    std::size_t count = 1;
    for (const int size : shape) count *= static_cast<std::size_t>(size);
    TinyModel::Tensor tensor{std::move(shape), {}};
    for (std::size_t i = 0; i < count; ++i) {
      const double share = static_cast<double>(random_()) / 4294967296.0;
      tensor.numbers.push_back(centre + spread * static_cast<float>(share * 2 - 1));
    }
    tensors[name] = std::move(tensor);
  }
  void add_linear(const std::string& name, int out, int in) {
    add(name + ".weight", {out, in}, 0, 0.3F);
    add(name + ".bias", {out}, 0, 0.1F);
  }
  void add_norm(const std::string& name, int size) {
    add(name + ".weight", {size}, 1, 0.2F);
    add(name + ".bias", {size}, 0, 0.1F);
  }
  Tensors tensors;

 private:
  std::mt19937 random_;
};

std::string words(const std::vector<int>& shape) {
  std::string out;
  for (const int size : shape) out += (out.empty() ? "" : ",") + std::to_string(size);
  return out;
}

}  // namespace

std::string TinyModel::config() const {
  return R"({"model_type": "bert", "hidden_act": "gelu", "layer_norm_eps": 1e-12,
  "position_embedding_type": "absolute", "is_decoder": false, "type_vocab_size": 2,
  "hidden_size": )" +
         std::to_string(hidden) + ", \"num_hidden_layers\": " + std::to_string(layers) +
         ", \"num_attention_heads\": " + std::to_string(heads) +
         ", \"intermediate_size\": " + std::to_string(middle) +
         ", \"max_position_embeddings\": " + std::to_string(positions) +
         ", \"vocab_size\": " + std::to_string(kVocabulary) + "}\n";
}

std::string TinyModel::vocab() const {
  std::string out = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n";
  for (int i = 5; i < kVocabulary; ++i) {
    out += i % 2 == 0 ? "##" : "";
    out += static_cast<char>('a' + (i - 5) / 2);
    out += "\n";
  }
  return out;
}

std::string TinyModel::model() const {
  Maker maker(seed);
  const std::string e = prefix + "embeddings.";
  maker.add(e + "word_embeddings.weight", {kVocabulary, hidden}, 0, 1);
  maker.add(e + "position_embeddings.weight", {positions, hidden}, 0, 0.3F);
  maker.add(e + "token_type_embeddings.weight", {2, hidden}, 0, 0.3F);
  maker.add_norm(e + "LayerNorm", hidden);
  for (int i = 0; i < layers; ++i) {
    const std::string of = prefix + "encoder.layer." + std::to_string(i) + ".";
    for (const char* part : {"query", "key", "value"}) {
      maker.add_linear(of + "attention.self." + part, hidden, hidden);
    }
    maker.add_linear(of + "attention.output.dense", hidden, hidden);
    maker.add_norm(of + "attention.output.LayerNorm", hidden);
    maker.add_linear(of + "intermediate.dense", middle, hidden);
    maker.add_linear(of + "output.dense", hidden, middle);
    maker.add_norm(of + "output.LayerNorm", hidden);
  }
  maker.add_linear(prefix + "pooler.dense", hidden, hidden);  // there, and not asked for
  if (change) change(maker.tensors);

  std::string header;
  std::string numbers;
  for (const auto& [name, tensor] : maker.tensors) {
    const std::size_t begin = numbers.size();
    numbers.resize(begin + tensor.numbers.size() * sizeof(float));
    std::memcpy(numbers.data() + begin, tensor.numbers.data(), numbers.size() - begin);
    header += header.empty() ? "{" : ",";
    header += "\"" + name + "\":{\"dtype\":\"" + tensor.dtype + "\",\"shape\":[" +
              words(tensor.shape) + "],\"data_offsets\":[" + std::to_string(begin) + "," +
              std::to_string(numbers.size()) + "]}";
  }
  header += "}";
  const std::uint64_t size = header.size();
  std::string out;
  for (unsigned i = 0; i < 8; ++i) out += static_cast<char>(size >> (8 * i) & 0xFFU);
  return out + header + numbers;
}

std::vector<unsigned> TinyModel::ids(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<unsigned> out = {2};
  for (int i = 0; i < count; ++i) {
    out.push_back(static_cast<unsigned>(5 + random() % (kVocabulary - 5)));
  }
  out.push_back(3);
  return out;
}

}  // namespace cg::test
