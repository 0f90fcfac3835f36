// Row 18: a sentence encoder at the shape of MiniLM, one thread, against its bare products.
//
// The weights are made here; what is measured does not depend on them. The bare side is the
// products of all layers with the weights and as many rows, and nothing else: no attention, no
// norm, no curve. OpenBLAS is loaded if it is there; nothing of ours links it.
#include "learn/encoder/encoder.h"

#include <dlfcn.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "learn/tensor/kernels.h"
#include "perf.h"

namespace {

using namespace cg;
using namespace cg::perf;
using encoder::Encoder;
using encoder::Ids;
using encoder::Precision;
using encoder::Scratch;

constexpr std::size_t kLayers = 6;
constexpr std::size_t kHidden = 384;
constexpr std::size_t kMiddle = 1536;
constexpr std::size_t kTokens = 128;
constexpr std::size_t kWords = 30'522;
constexpr std::size_t kPositions = 512;

float next_weight() {
  static std::uint32_t state = 0x2545f491;
  state ^= state << 13U;
  state ^= state >> 17U;
  state ^= state << 5U;
  return static_cast<float>(state) / 4294967296.0F - 0.5F;
}

/// model.safetensors with the names of the BERT family.
class File {
 public:
  void add(const std::string& name, std::vector<std::size_t> shape, float centre, float spread) {
    std::size_t count = 1;
    std::string sizes;
    for (const std::size_t size : shape) {
      count *= size;
      sizes += (sizes.empty() ? "" : ",") + std::to_string(size);
    }
    const std::size_t begin = numbers_.size();
    numbers_.resize(begin + 4 * count);
    for (std::size_t i = 0; i < count; ++i) {
      const float weight = centre + spread * next_weight();
      std::memcpy(numbers_.data() + begin + 4 * i, &weight, 4);
    }
    header_ += (header_.empty() ? "{\"" : ",\"") + name + R"(":{"dtype":"F32","shape":[)" + sizes +
               "],\"data_offsets\":[" + std::to_string(begin) + "," +
               std::to_string(numbers_.size()) + "]}";
  }
  void add_linear(const std::string& name, std::size_t out, std::size_t in) {
    add(name + ".weight", {out, in}, 0, 0.15F);
    add(name + ".bias", {out}, 0, 0.1F);
  }
  void add_norm(const std::string& name) {
    add(name + ".weight", {kHidden}, 1, 0.3F);
    add(name + ".bias", {kHidden}, 0, 0.1F);
  }
  [[nodiscard]] std::string bytes() const {
    const std::uint64_t size = header_.size() + 1;
    std::string out(8, '\0');
    std::memcpy(out.data(), &size, 8);
    return out + header_ + "}" + numbers_;
  }

 private:
  std::string header_;
  std::string numbers_;
};

std::string make_model() {
  File file;
  file.add("embeddings.word_embeddings.weight", {kWords, kHidden}, 0, 0.2F);
  file.add("embeddings.position_embeddings.weight", {kPositions, kHidden}, 0, 0.1F);
  file.add("embeddings.token_type_embeddings.weight", {2, kHidden}, 0, 0.1F);
  file.add_norm("embeddings.LayerNorm");
  for (std::size_t i = 0; i < kLayers; ++i) {
    const std::string of = "encoder.layer." + std::to_string(i) + ".";
    for (const char* part : {"query", "key", "value"}) {
      file.add_linear(of + "attention.self." + part, kHidden, kHidden);
    }
    file.add_linear(of + "attention.output.dense", kHidden, kHidden);
    file.add_norm(of + "attention.output.LayerNorm");
    file.add_linear(of + "intermediate.dense", kMiddle, kHidden);
    file.add_linear(of + "output.dense", kHidden, kMiddle);
    file.add_norm(of + "output.LayerNorm");
  }
  return file.bytes();
}

Encoder make_encoder(const std::string& model, Precision precision) {
  const encoder::Config config{.hidden = kHidden,
                               .layers = kLayers,
                               .heads = 12,
                               .middle = kMiddle,
                               .positions = kPositions,
                               .types = 2,
                               .vocabulary = kWords};
  auto made = Encoder::make(config, model, precision, tensor::kernels());
  if (!made) give_up(made.error().what);
  return *std::move(made);
}

using Gemm = void (*)(int, int, int, int, int, int, float, const float*, int, const float*, int,
                      float, float*, int);
constexpr int kRowMajor = 101;
constexpr int kAsIs = 111;
constexpr int kTransposed = 112;

/// The products of one layer after the other, each layer with weights of its own.
class Bare {
 public:
  Bare() {
    for (std::size_t i = 0; i < kLayers; ++i) {
      for (const auto& [columns, depth] : kShapes) {
        std::vector<float> weights(columns * depth);
        for (float& weight : weights) weight = next_weight();
        packed_.push_back(tensor::pack(tensor::kernels().panel, weights, depth));
        plain_.push_back(std::move(weights));
      }
    }
    for (std::size_t i = 0; i < kTokens * kMiddle; ++i) in_.data()[i] = next_weight();
  }
  void by_kernels() {
    for (std::size_t i = 0; i < packed_.size(); ++i) {
      const auto [columns, depth] = kShapes[i % 4];
      tensor::kernels().product({in_.data(), depth, packed_[i].data(), nullptr, out_.data(),
                                 columns, kTokens, depth, columns});
    }
  }
  void by_blas(Gemm gemm) {
    const auto as_int = [](std::size_t n) { return static_cast<int>(n); };
    for (std::size_t i = 0; i < plain_.size(); ++i) {
      const auto [columns, depth] = kShapes[i % 4];
      gemm(kRowMajor, kAsIs, kTransposed, as_int(kTokens), as_int(columns), as_int(depth), 1,
           in_.data(), as_int(depth), plain_[i].data(), as_int(depth), 0, out_.data(),
           as_int(columns));
    }
  }
  /// Both sides must do the same work.
  void compare(Gemm gemm) {
    by_kernels();
    const std::vector<float> ours(out_.data(), out_.data() + kTokens * kHidden);
    by_blas(gemm);
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (std::fabs(ours[i] - out_.data()[i]) > 1e-3F) give_up("OpenBLAS multiplies otherwise");
    }
  }

 private:
  struct Shape {
    std::size_t columns;
    std::size_t depth;
  };
  static constexpr Shape kShapes[4] = {
      {3 * kHidden, kHidden}, {kHidden, kHidden}, {kMiddle, kHidden}, {kHidden, kMiddle}};
  std::vector<tensor::Aligned<float>> packed_;
  std::vector<std::vector<float>> plain_;
  tensor::Aligned<float> in_{kTokens * kMiddle};
  tensor::Aligned<float> out_{kTokens * kMiddle};
};

/// $CG_OPENBLAS, or the one that the system has; on one thread.
Gemm load_blas() {
  setenv("OPENBLAS_NUM_THREADS", "1", 0);
  const char* named = std::getenv("CG_OPENBLAS");
  void* library = dlopen(named != nullptr ? named : "libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  if (void* core = dlsym(library, "openblas_get_corename")) {
    report_fact(std::string("OpenBLAS core: ") + reinterpret_cast<const char* (*)()>(core)());
  }
  return reinterpret_cast<Gemm>(dlsym(library, "cblas_sgemm"));
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv, {"--quick"}, {"--repeats"});
  const std::size_t repeats = arguments.number("--repeats", arguments.has("--quick") ? 2 : 31);
  const std::string model = make_model();
  const Encoder exact = make_encoder(model, Precision::fp32);
  const Encoder whole = make_encoder(model, Precision::int8);
  Ids ids(kTokens);
  for (std::size_t i = 0; i < kTokens; ++i) ids[i] = static_cast<std::uint32_t>(i * 233 % kWords);
  const Ids* const text = &ids;
  Scratch scratch;
  const auto run = [&](const Encoder& of) { return of.run(std::span(&text, 1), scratch).front(); };
  const double cosine = embedding::cosine(run(exact), run(whole));
  if (cosine < 0.999) give_up("the vectors of int8 and fp32 differ: " + fixed(cosine, 6));
  report_fact("kernels: " + std::string(tensor::kernels().name) + "; cosine of int8 and fp32 " +
              fixed(cosine, 6));

  Bare bare;
  const auto measured = [&](const std::function<void()>& ours, const std::function<void()>& other) {
    const auto costs =
        interleave(repeats, {[&] { return cost_of(ours); }, [&] { return cost_of(other); }});
    return Pair{summary(costs[0], Clock::cpu), summary(costs[1], Clock::cpu)};
  };
  const std::string what = "embed 128 tokens at MiniLM's shape, fp32";
  const auto in_floats = [&] { static_cast<void>(run(exact)); };
  const auto in_wholes = [&] { static_cast<void>(run(whole)); };
  report({"18", what, "our products alone", {Bar::Kind::at_most, 1.2}},
         [&] { return measured(in_floats, [&] { bare.by_kernels(); }); });
  const Row row{"18", what, "OpenBLAS's products alone", {Bar::Kind::at_most, 1.2}};
  if (const Gemm gemm = load_blas()) {
    bare.compare(gemm);
    report(row, [&] { return measured(in_floats, [&] { bare.by_blas(gemm); }); });
  } else {
    report_absent(row, "libopenblas.so.0 is not installed, and CG_OPENBLAS names none");
  }
  const std::string eight = "embed 128 tokens, int8";
  report({"18", eight, "fp32", {Bar::Kind::at_least, 2}},
         [&] { return measured(in_wholes, in_floats); });
  report({"18", "stretch: " + eight, "fp32", {Bar::Kind::at_least, 3}},
         [&] { return measured(in_wholes, in_floats); });
}
