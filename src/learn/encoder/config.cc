#include "learn/encoder/config.h"

#include <array>

#include "base/base/text.h"
#include "base/json/json.h"

namespace cg::encoder {

namespace {

using json::Value;

constexpr json::Limits kLimits = {kMaxConfig, 16, 10'000};

Failure<Error> wrong(std::string what) { return fail(Error{std::move(what)}); }

struct Size {
  std::string_view key;
  std::size_t Config::*to;
  std::int64_t max;
};
constexpr std::array<Size, 7> kSizes = {{{"hidden_size", &Config::hidden, 4096},
                                         {"num_hidden_layers", &Config::layers, 64},
                                         {"num_attention_heads", &Config::heads, 256},
                                         {"intermediate_size", &Config::middle, 16'384},
                                         {"max_position_embeddings", &Config::positions, 8192},
                                         {"type_vocab_size", &Config::types, 16},
                                         {"vocab_size", &Config::vocabulary, 1'000'000}}};

struct Named {
  std::string_view name;
  tensor::Curve curve;
};
constexpr std::array<Named, 4> kCurves = {{{"gelu", tensor::Curve::gelu},
                                           {"gelu_new", tensor::Curve::gelu_tanh},
                                           {"gelu_pytorch_tanh", tensor::Curve::gelu_tanh},
                                           {"relu", tensor::Curve::relu}}};

}  // namespace

Result<Config, Error> parse_config(std::string_view json) {
  const auto all = json::parse_json(json, kLimits);
  if (!all) return wrong(json::describe(all.error()));
  if (!all->is_object() || all->text("model_type") != "bert") {
    return wrong("its `model_type` is not bert");
  }
  Config out;
  for (const Size& size : kSizes) {
    const Value* value = all->find(size.key);
    const auto number = value == nullptr ? std::nullopt : value->as_int();
    if (!number || *number < 1 || *number > size.max) {
      return wrong("its `" + std::string(size.key) + "` is not from 1 to " +
                   std::to_string(size.max));
    }
    out.*size.to = static_cast<std::size_t>(*number);
  }
  if (out.hidden % out.heads != 0) return wrong("its heads do not part its hidden_size evenly");
  if (out.positions < 2) return wrong("its texts have no room for a first and a last token");
  bool known = false;
  for (const Named& named : kCurves) {
    if (all->text("hidden_act") != named.name) continue;
    out.curve = named.curve;
    known = true;
  }
  if (!known) return wrong("its `hidden_act` is not gelu, gelu_new, gelu_pytorch_tanh or relu");
  const Value* kind = all->find("position_embedding_type");
  if (kind != nullptr && all->text("position_embedding_type") != "absolute") {
    return wrong("its `position_embedding_type` is not absolute");
  }
  const Value* decoder = all->find("is_decoder");
  if (decoder != nullptr && decoder->as_bool() != false) return wrong("it is a decoder");
  if (const Value* epsilon = all->find("layer_norm_eps")) {
    const auto value = epsilon->as_double();
    if (!value || !(*value > 0) || *value > 0.1) {
      return wrong("its `layer_norm_eps` is not between 0 and 0.1");
    }
    out.epsilon = static_cast<float>(*value);
  }
  return out;
}

}  // namespace cg::encoder
