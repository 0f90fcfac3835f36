#include "learn/encoder/encoder.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "base/base/text.h"
#include "support/tiny_model.h"

namespace cg::encoder {
namespace {

using embedding::cosine;
using embedding::Vector;
using tensor::all_kernels;
using tensor::Kernels;
using test::TinyModel;
using testing::HasSubstr;

Encoder encoder(const TinyModel& model, Precision precision = Precision::fp32,
                const Kernels& kernels = tensor::kernels()) {
  auto config = parse_config(model.config());
  CG_ASSERT(config.has_value());
  auto made = Encoder::make(*config, model.model(), precision, kernels);
  CG_ASSERT(made.has_value());
  return *std::move(made);
}

std::vector<Vector> run(const Encoder& of, const std::vector<Ids>& texts, Scratch& scratch) {
  std::vector<const Ids*> all;
  for (const Ids& text : texts) all.push_back(&text);
  return of.run(all, scratch);
}
std::vector<Vector> run(const Encoder& of, const std::vector<Ids>& texts) {
  Scratch scratch;
  return run(of, texts, scratch);
}

std::vector<Ids> some_texts() {
  std::vector<Ids> out;
  for (const int count : {0, 1, 3, 7, 8, 30, 62}) {
    out.push_back(TinyModel::ids(count, static_cast<unsigned>(count) + 1));
  }
  return out;
}

TEST(Encoder, VectorsAreOneLongAndDifferByText) {
  const auto vectors = run(encoder({}), some_texts());
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    ASSERT_EQ(vectors[i].size(), 48U);
    double length = 0;
    for (const float x : vectors[i]) length += double{x} * double{x};
    EXPECT_NEAR(length, 1, 1e-6);
    for (std::size_t k = 0; k < i; ++k) EXPECT_LT(cosine(vectors[i], vectors[k]), 0.9999);
  }
}

TEST(Encoder, ATextGivesTheSameBitsAloneAndAmongOthers) {
  for (const Precision precision : {Precision::fp32, Precision::int8}) {
    for (const Kernels* kernels : all_kernels()) {
      const Encoder of = encoder({}, precision, *kernels);
      auto texts = some_texts();
      const auto together = run(of, texts);
      Scratch scratch;  // one that remembers other texts
      for (std::size_t i = texts.size(); i-- > 0;) {
        EXPECT_EQ(run(of, {texts[i]}, scratch).front(), together[i]) << kernels->name << i;
      }
      std::reverse(texts.begin(), texts.end());
      auto backwards = run(of, texts, scratch);
      std::reverse(backwards.begin(), backwards.end());
      EXPECT_EQ(backwards, together) << kernels->name;
    }
  }
}

TEST(Encoder, EveryLevelOfKernelsMeansTheSame) {
  // Sizes that no panel divides, and heads that are no vector.
  for (const TinyModel& model : {TinyModel{}, TinyModel{.hidden = 60, .heads = 5, .middle = 70}}) {
    const auto exact = run(encoder(model, Precision::fp32, *all_kernels().back()), some_texts());
    for (const Kernels* kernels : all_kernels()) {
      const auto same = run(encoder(model, Precision::fp32, *kernels), some_texts());
      const auto whole = run(encoder(model, Precision::int8, *kernels), some_texts());
      for (std::size_t i = 0; i < exact.size(); ++i) {
        EXPECT_GE(cosine(exact[i], same[i]), 0.9999999) << kernels->name;
        EXPECT_GE(cosine(exact[i], whole[i]), 0.999) << kernels->name;
      }
    }
  }
}

TEST(Encoder, TheNamesOfTensorsMayHaveAPrefix) {
  const TinyModel prefixed{.prefix = "bert."};
  EXPECT_EQ(run(encoder(prefixed), some_texts()), run(encoder({}), some_texts()));
}

TEST(Encoder, NormsMayHaveTheirOldNames) {
  TinyModel old{.prefix = "bert."};
  old.change = [](auto& tensors) {
    std::map<std::string, TinyModel::Tensor> out;
    for (auto& [name, tensor] : tensors) {
      std::string now = name;
      if (name.find("LayerNorm") != std::string::npos) {
        now = replaced(replaced(name, ".weight", ".gamma"), ".bias", ".beta");
      }
      out[now] = std::move(tensor);
    }
    tensors = std::move(out);
  };
  EXPECT_EQ(run(encoder(old), some_texts()), run(encoder({}), some_texts()));
}

TEST(Encoder, AScratchServesModelsOfOtherSizes) {
  Scratch scratch;
  for (const TinyModel& model :
       {TinyModel{.positions = 64}, TinyModel{.hidden = 240, .heads = 2, .middle = 400},
        TinyModel{.middle = 900}, TinyModel{.hidden = 240, .heads = 24}, TinyModel{}}) {
    for (const Precision precision : {Precision::fp32, Precision::int8}) {
      const Encoder of = encoder(model, precision);
      EXPECT_EQ(run(of, some_texts(), scratch), run(of, some_texts()));
    }
  }
}

/// Finite weights, and all the same sums that are not: whoever runs it sees it in the vector.
TEST(Encoder, WeightsThatOverflowGiveVectorsThatAreNoNumbers) {
  TinyModel huge;
  huge.change = [](auto& tensors) {
    for (float& x : tensors["encoder.layer.0.output.dense.weight"].numbers) x *= 1e38F;
    for (float& x : tensors["encoder.layer.1.attention.output.dense.weight"].numbers) x *= 1e38F;
  };
  for (const Kernels* kernels : all_kernels()) {
    for (const Precision precision : {Precision::fp32, Precision::int8}) {
      for (const Vector& vector : run(encoder(huge, precision, *kernels), some_texts())) {
        EXPECT_FALSE(std::isfinite(vector[0])) << kernels->name;
      }
    }
  }
}

TEST(Encoder, AConfigThatClaimsMoreThanTheFileHasCostsNothing) {
  auto config = *parse_config(TinyModel{}.config());
  config.middle = 16'384;  // two of these alone would take more than there may be
  std::string huge = replaced(TinyModel{}.config(), "\"hidden_size\": 48", "\"hidden_size\": 4096");
  EXPECT_FALSE(Encoder::make(config, TinyModel{}.model(), Precision::fp32, tensor::kernels()));
  EXPECT_FALSE(
      Encoder::make(*parse_config(huge), TinyModel{}.model(), Precision::fp32, tensor::kernels()));
}

TEST(Encoder, SayingLessOfOneTensorChangesTheVector) {
  TinyModel changed;
  changed.change = [](auto& tensors) {
    tensors["encoder.layer.1.output.dense.bias"].numbers[7] += 1;
  };
  EXPECT_NE(run(encoder(changed), some_texts()), run(encoder({}), some_texts()));
  changed.change = [](auto& tensors) { tensors["pooler.dense.bias"].numbers[7] += 1; };
  EXPECT_EQ(run(encoder(changed), some_texts()), run(encoder({}), some_texts()));
}

TEST(Encoder, AModelThatIsNoneIsRefused) {
  const auto config = parse_config(TinyModel{}.config());
  ASSERT_TRUE(config);
  const auto error =
      [&](const std::function<void(std::map<std::string, TinyModel::Tensor>&)>& change) {
        TinyModel model;
        model.change = change;
        const auto made = Encoder::make(*config, model.model(), Precision::fp32, tensor::kernels());
        return made ? "" : made.error().what;
      };
  const std::string bias = "encoder.layer.1.attention.self.key.bias";
  EXPECT_EQ(error({}), "");
  EXPECT_THAT(error([&](auto& all) { all.erase(bias); }), HasSubstr("no tensor `" + bias));
  EXPECT_THAT(error([&](auto& all) {
                all[bias] = {{47}, std::vector<float>(47)};
              }),
              HasSubstr("has the shape [47], not [48]"));
  EXPECT_THAT(error([&](auto& all) { all[bias].dtype = "I32"; }), HasSubstr("is I32"));
  EXPECT_THAT(error([&](auto& all) { all[bias].numbers[3] = std::nanf(""); }),
              HasSubstr("no number"));
  EXPECT_THAT(error([&](auto& all) {
                all["embeddings.word_embeddings.weight"].numbers[5] =
                    std::numeric_limits<float>::infinity();
              }),
              HasSubstr("infinite"));
  EXPECT_THAT(error([&](auto& all) {
                auto& weight = all["encoder.layer.0.intermediate.dense.weight"];
                std::swap(weight.shape[0], weight.shape[1]);
              }),
              HasSubstr("has the shape [48, 96], not [96, 48]"));
  const std::string whole = TinyModel{}.model();
  for (std::size_t size = 0; size < whole.size(); size += 997) {
    EXPECT_FALSE(Encoder::make(*config, whole.substr(0, size), Precision::fp32, tensor::kernels()));
  }
}

TEST(Encoder, AConfigThatAsksForWhatIsNotDoneIsRefused) {
  const auto error = [](std::string_view what, std::string_view by) {
    const std::string given = TinyModel{}.config();
    CG_ASSERT(given.find(what) != std::string::npos);
    const auto read = parse_config(replaced(given, what, by));
    return read ? "" : read.error().what;
  };
  EXPECT_EQ(error("absolute", "absolute"), "");
  EXPECT_THAT(error("\"bert\"", "\"roberta\""), HasSubstr("model_type"));
  EXPECT_THAT(error("\"gelu\"", "\"silu\""), HasSubstr("hidden_act"));
  EXPECT_THAT(error("absolute", "relative_key"), HasSubstr("position_embedding_type"));
  EXPECT_THAT(error("false", "true"), HasSubstr("decoder"));
  EXPECT_THAT(error("1e-12", "1"), HasSubstr("layer_norm_eps"));
  EXPECT_THAT(error("\"hidden_size\": 48", "\"hidden_size\": 0"), HasSubstr("from 1 to 4096"));
  EXPECT_THAT(error("\"hidden_size\": 48", "\"hidden_size\": 48.0"), HasSubstr("hidden_size"));
  EXPECT_THAT(error("\"hidden_size\": 48", "\"hidden_size\": 4294967344"),
              HasSubstr("hidden_size"));
  EXPECT_THAT(error("_heads\": 4", "_heads\": 5"), HasSubstr("evenly"));
  EXPECT_THAT(error("\"num_hidden_layers\": 2,", ""), HasSubstr("num_hidden_layers"));
  EXPECT_THAT(error("{", "["), HasSubstr("line 1"));
}

}  // namespace
}  // namespace cg::encoder
