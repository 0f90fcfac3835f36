// The encoder against the same computed plainly, in doubles and loops of one number each: for sizes
// that no panel divides and for every curve.
#include <gmock/gmock.h>

#include <cmath>
#include <functional>

#include "base/base/text.h"
#include "learn/encoder/encoder.h"
#include "support/tiny_model.h"

namespace cg::encoder {
namespace {

using embedding::Vector;
using test::TinyModel;

using Row = std::vector<double>;
using Rows = std::vector<Row>;
using Bend = std::function<double(double)>;

class Plain {
 public:
  Plain(const TinyModel& model, Bend bend) : model_(model), bend_(std::move(bend)) {
    TinyModel copy = model;
    copy.change = [&](auto& tensors) { tensors_ = tensors; };
    static_cast<void>(copy.model());
  }

  [[nodiscard]] Row vector(const Ids& ids) const {
    const std::vector<float>& words = of("embeddings.word_embeddings.weight");
    const std::vector<float>& places = of("embeddings.position_embeddings.weight");
    const std::vector<float>& types = of("embeddings.token_type_embeddings.weight");
    Rows state;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      Row row;
      for (std::size_t k = 0; k < hidden(); ++k) {
        row.push_back(double{words.at(ids[i] * hidden() + k)} +
                      double{places.at(i * hidden() + k)} + double{types.at(k)});
      }
      state.push_back(row);
    }
    norm(state, "embeddings.LayerNorm");
    for (int layer = 0; layer < model_.layers; ++layer) {
      const std::string name = "encoder.layer." + std::to_string(layer) + ".";
      Rows answers = linear(attended(state, name + "attention.self."),
                            name + "attention.output.dense", hidden());
      add(answers, state);
      norm(answers, name + "attention.output.LayerNorm");
      Rows wide =
          linear(answers, name + "intermediate.dense", static_cast<std::size_t>(model_.middle));
      for (Row& row : wide) {
        for (double& x : row) x = bend_(x);
      }
      state = linear(wide, name + "output.dense", hidden());
      add(state, answers);
      norm(state, name + "output.LayerNorm");
    }
    Row out(hidden());
    double square = 0;
    for (std::size_t k = 0; k < hidden(); ++k) {
      for (const Row& row : state) out[k] += row[k];
      square += out[k] * out[k];
    }
    for (double& x : out) x /= std::sqrt(square);
    return out;
  }

 private:
  [[nodiscard]] std::size_t hidden() const { return static_cast<std::size_t>(model_.hidden); }
  [[nodiscard]] const std::vector<float>& of(const std::string& name) const {
    return tensors_.at(name).numbers;
  }
  [[nodiscard]] Rows linear(const Rows& in, const std::string& name, std::size_t size) const {
    const std::vector<float>& weights = of(name + ".weight");
    const std::vector<float>& bias = of(name + ".bias");
    Rows out;
    for (const Row& row : in) {
      Row made;
      for (std::size_t c = 0; c < size; ++c) {
        double sum = double{bias[c]};
        for (std::size_t k = 0; k < row.size(); ++k) {
          sum += row[k] * double{weights[c * row.size() + k]};
        }
        made.push_back(sum);
      }
      out.push_back(made);
    }
    return out;
  }
  static void add(Rows& to, const Rows& what) {
    for (std::size_t i = 0; i < to.size(); ++i) {
      for (std::size_t k = 0; k < to[i].size(); ++k) to[i][k] += what[i][k];
    }
  }
  void norm(Rows& rows, const std::string& name) const {
    const std::vector<float>& gain = of(name + ".weight");
    const std::vector<float>& shift = of(name + ".bias");
    for (Row& row : rows) {
      const auto count = static_cast<double>(row.size());
      double mean = 0;
      double variance = 0;
      for (const double x : row) mean += x / count;
      for (const double x : row) variance += (x - mean) * (x - mean) / count;
      for (std::size_t k = 0; k < row.size(); ++k) {
        row[k] = (row[k] - mean) / std::sqrt(variance + 1e-12) * double{gain[k]} + double{shift[k]};
      }
    }
  }
  [[nodiscard]] Rows attended(const Rows& state, const std::string& name) const {
    const Rows asks = linear(state, name + "query", hidden());
    const Rows keys = linear(state, name + "key", hidden());
    const Rows values = linear(state, name + "value", hidden());
    const std::size_t head = hidden() / static_cast<std::size_t>(model_.heads);
    Rows out(state.size(), Row(hidden()));
    for (std::size_t from = 0; from < hidden(); from += head) {
      for (std::size_t i = 0; i < state.size(); ++i) {
        Row shares;
        double all = 0;
        for (const Row& key : keys) {
          double product = 0;
          for (std::size_t k = from; k < from + head; ++k) product += asks[i][k] * key[k];
          shares.push_back(std::exp(product / std::sqrt(static_cast<double>(head))));
          all += shares.back();
        }
        for (std::size_t j = 0; j < values.size(); ++j) {
          for (std::size_t k = from; k < from + head; ++k) {
            out[i][k] += shares[j] / all * values[j][k];
          }
        }
      }
    }
    return out;
  }

  TinyModel model_;
  Bend bend_;
  std::map<std::string, TinyModel::Tensor> tensors_;
};

double gelu(double x) { return x * 0.5 * (1 + std::erf(x / std::sqrt(2.0))); }
double gelu_new(double x) {
  return x * 0.5 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}
double relu(double x) { return x > 0 ? x : 0; }

double cosine(const Row& exact, const Vector& found) {
  double product = 0;
  for (std::size_t k = 0; k < found.size(); ++k) product += exact[k] * double{found[k]};
  return product;
}

void compare(const TinyModel& model, const std::string& act, const Bend& bend) {
  const Plain plain(model, bend);
  const auto config = parse_config(replaced(model.config(), "\"gelu\"", "\"" + act + "\""));
  ASSERT_TRUE(config) << config.error().what;
  for (const tensor::Kernels* kernels : tensor::all_kernels()) {
    for (const Precision precision : {Precision::fp32, Precision::int8}) {
      const auto made = Encoder::make(*config, model.model(), precision, *kernels);
      ASSERT_TRUE(made) << made.error().what;
      Scratch scratch;
      for (const int count : {0, 1, 6, 29}) {
        const Ids ids = TinyModel::ids(count, static_cast<unsigned>(count) + 1);
        const Ids* const one = &ids;
        const auto found = made->run(std::span(&one, 1), scratch);
        EXPECT_GE(cosine(plain.vector(ids), found.front()),
                  precision == Precision::fp32 ? 0.9999999 : 0.999)
            << act << ", " << kernels->name << ", " << count;
      }
    }
  }
}

TEST(Reference, TheUsualSizesWithEachCurve) {
  compare({}, "gelu", gelu);
  compare({}, "gelu_new", gelu_new);
  compare({}, "gelu_pytorch_tanh", gelu_new);
  compare({}, "relu", relu);
}

TEST(Reference, SizesThatNoPanelDivides) {
  compare({.hidden = 60, .heads = 5, .middle = 70}, "gelu", gelu);
  compare({.hidden = 60, .layers = 3, .heads = 3, .middle = 131}, "relu", relu);
}

/// The curves differ by so little that a mix-up must show.
TEST(Reference, AnotherCurveIsAnotherVector) {
  const Ids ids = TinyModel::ids(20, 1);
  const Row exact = Plain({}, gelu).vector(ids);
  const Row tanh = Plain({}, gelu_new).vector(ids);
  double difference = 0;
  for (std::size_t k = 0; k < exact.size(); ++k) difference += std::abs(exact[k] - tanh[k]);
  EXPECT_GT(difference, 1e-6);
  EXPECT_NE(exact, Plain({}, relu).vector(ids));
}

}  // namespace
}  // namespace cg::encoder
