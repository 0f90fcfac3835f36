#include "learn/pinned/settings.h"

#include <gmock/gmock.h>

#include <atomic>
#include <filesystem>
#include <stdexcept>

#include "base/base/text.h"
#include "learn/pinned/home.h"
#include "learn/pinned/share.h"
#include "support/support.h"
#include "support/tiny_model.h"

namespace cg::pinned {
namespace {

using encoder::Precision;
using test::TinyModel;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

class PublishedModel : public testing::Test {
 protected:
  PublishedModel() {
    put("config.json", model_.config());
    put("vocab.txt", model_.vocab());
    put("model.safetensors", model_.model());
  }
  void put(const std::string& file, const std::string& text) {
    fs::create_directories((root_ / file).parent_path());
    test::write(root_ / file, text);
  }
  void remove(const std::string& file) { fs::remove(root_ / file); }
  [[nodiscard]] Result<Model, Problem> open() const {
    return open_unpinned(root_.string(), Precision::fp32);
  }
  [[nodiscard]] std::string refused() const {
    const auto made = open();
    return made ? "" : made.error().where[0].second + ": " + made.error().where[1].second;
  }
  [[nodiscard]] std::size_t length() const {
    const auto made = open();
    if (!made) ADD_FAILURE() << made.error().where[1].second;
    return made ? made->max_tokens() : 0;
  }
  /// Of the model's vocabulary, that lowers, with a text cut to 40 tokens.
  void put_tokenizer() {
    const std::string lines = model_.vocab();
    std::string vocab;
    std::size_t id = 0;
    for (const std::string_view token : split(lines, '\n')) {
      if (token.empty()) continue;
      vocab += (id == 0 ? "\"" : ", \"") + std::string(token) + "\": " + std::to_string(id);
      ++id;
    }
    put("tokenizer.json",
        R"({"truncation": {"max_length": 40}, "normalizer": {"type": "BertNormalizer",
            "clean_text": true, "handle_chinese_chars": true, "strip_accents": null,
            "lowercase": true}, "pre_tokenizer": {"type": "BertPreTokenizer"},
            "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
            "model": {"type": "WordPiece", "unk_token": "[UNK]", "vocab": {)" +
            vocab + "}}}");
  }

  TinyModel model_;
  test::ScratchDir scratch_;
  fs::path root_ = scratch_.path();
};

TEST_F(PublishedModel, TheMeanAloneIsAVector) {
  const auto pooled = [&](const std::string& config) {
    put("1_Pooling/config.json", config);
    return refused();
  };
  EXPECT_EQ(pooled(R"({"word_embedding_dimension": 48, "pooling_mode_cls_token": false,
                       "pooling_mode_mean_tokens": true, "include_prompt": true})"),
            "");
  EXPECT_EQ(pooled(R"({"pooling_mode": "mean"})"), "");
  for (const char* mode : {"pooling_mode_max_tokens", "pooling_mode_cls_token",
                           "pooling_mode_lasttoken", "pooling_mode_mean_sqrt_len_tokens"}) {
    const std::string more = std::string("{\"pooling_mode_mean_tokens\": true, \"") + mode;
    EXPECT_THAT(pooled(more + "\": true}"), HasSubstr("`" + std::string(mode) + "`"));
    EXPECT_EQ(pooled(more + "\": false}"), "");
  }
  EXPECT_THAT(pooled(R"({"pooling_mode": "cls"})"), HasSubstr("`pooling_mode`"));
  EXPECT_THAT(pooled("{}"), HasSubstr("not the mean"));
  EXPECT_THAT(pooled("[]"), HasSubstr("not the mean"));
  EXPECT_THAT(pooled("{"), HasSubstr("line 1"));
}

TEST_F(PublishedModel, ModulesThatAreNotComputedAreRefusedByName) {
  const std::string start = R"([{"path": "", "type": "sentence_transformers.models.Transformer"},
      {"path": "pool", "type": "sentence_transformers.models.Pooling"})";
  const auto with = [&](const std::string& more) {
    put("modules.json", start + more + "]");
    return refused();
  };
  put("1_Pooling/config.json", R"({"pooling_mode_cls_token": true})");  // nobody's
  EXPECT_EQ(with(""), "");
  EXPECT_EQ(with(R"(, {"path": "2_Normalize", "type": "a.b.Normalize"})"), "");
  EXPECT_THAT(with(R"(, {"path": "2_Dense", "type": "sentence_transformers.models.Dense"})"),
              AllOf(HasSubstr("modules.json"), HasSubstr("`sentence_transformers.models.Dense`")));
  EXPECT_THAT(with(", {}"), HasSubstr("a module ``"));
  put("pool/config.json", R"({"pooling_mode_cls_token": true})");
  EXPECT_THAT(with(""), AllOf(HasSubstr("pool/config.json"), HasSubstr("cls_token")));
  put("modules.json", R"([{"path": "0_Transformer", "type": "a.Transformer"}])");
  EXPECT_THAT(refused(), HasSubstr("`0_Transformer`"));
  put("modules.json", R"([{"path": "../elsewhere", "type": "a.Pooling"}])");
  EXPECT_NE(refused(), "");
  put("modules.json", "{}");
  EXPECT_THAT(refused(), HasSubstr("no list"));
}

TEST_F(PublishedModel, TheLengthOfASentenceEncoderCountsElseTheSmallestThatIsSaid) {
  EXPECT_EQ(length(), 64U);
  put("tokenizer_config.json", R"({"model_max_length": 24})");
  EXPECT_EQ(length(), 24U);
  put("sentence_bert_config.json", R"({"max_seq_length": 32, "do_lower_case": false})");
  EXPECT_EQ(length(), 32U);
  for (const char* none : {"1000000000000000019884624838656", "1e+30", "null"}) {
    put("tokenizer_config.json", std::string("{\"model_max_length\" : ") + none + "}");
    EXPECT_EQ(length(), 32U);
  }
  for (const char* wrong :
       {"{\"model_max_length\"", "{\"model_max_length\": ", "{\"model_max_length\":1"}) {
    put("tokenizer_config.json", wrong);
    EXPECT_THAT(refused(), HasSubstr("line 1"));
  }
  put("tokenizer_config.json", R"({"model_max_length": 1000000000000000019884624838656})");
  put_tokenizer();
  EXPECT_EQ(length(), 32U);
  put("sentence_bert_config.json", R"({"max_seq_length": 512})");
  EXPECT_EQ(length(), 64U);
  put("sentence_bert_config.json", R"({"max_seq_length": null})");
  EXPECT_EQ(length(), 40U);
  put("sentence_bert_config.json", R"({"max_seq_length": 1})");
  EXPECT_THAT(refused(), HasSubstr("`max_seq_length`"));
  put("sentence_bert_config.json", R"({"max_seq_length": "32"})");
  EXPECT_THAT(refused(), HasSubstr("`max_seq_length`"));
  put("sentence_bert_config.json", "[]");
  EXPECT_THAT(refused(), HasSubstr("no object"));
}

TEST_F(PublishedModel, TheLengthIsPinnedWithTheRest) {
  put("sentence_bert_config.json", R"({"max_seq_length": 32})");
  const test::ScratchDir home;
  const auto dir = os::Dir::open(home.path().string());
  const auto made = bootstrap(*dir, {.from = root_.string()});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->model.lock().files.size(), 4U);
  EXPECT_EQ(*parse_lock(write_lock(made->model.lock())), made->model.lock());
  remove("sentence_bert_config.json");
  const auto opened = pinned::open(*dir);
  ASSERT_TRUE(opened && *opened);
  EXPECT_EQ((*opened)->max_tokens(), 32U);
}

TEST_F(PublishedModel, LoweringOverATokenizerThatKeepsCaseIsRefused) {
  put("sentence_bert_config.json", R"({"do_lower_case": true})");
  EXPECT_EQ(refused(), "");
  put("tokenizer_config.json", R"({"do_lower_case": false})");
  EXPECT_THAT(refused(),
              AllOf(HasSubstr("sentence_bert_config.json"), HasSubstr("`do_lower_case`")));
}

TEST_F(PublishedModel, TheFilesOfATokenizerAgree) {
  put_tokenizer();
  for (const char* key : {"do_lower_case", "strip_accents", "tokenize_chinese_chars"}) {
    for (const char* value : {"true", "null"}) {
      put("tokenizer_config.json", std::string("{\"") + key + "\": " + value + "}");
      EXPECT_EQ(refused(), "");
    }
    put("tokenizer_config.json", std::string("{\"") + key + "\": false}");
    EXPECT_THAT(refused(), HasSubstr("its `" + std::string(key) + "` is false"));
  }
  put("tokenizer_config.json", R"({"do_lower_case": 1})");
  EXPECT_THAT(refused(), HasSubstr("neither true nor false"));
}

TEST_F(PublishedModel, AVocabularyIsReadAsItsSettingsSay) {
  put("tokenizer_config.json", R"({"do_basic_tokenize": false})");
  EXPECT_THAT(refused(), HasSubstr("`do_basic_tokenize`"));
  for (const char* key : {"unk_token", "cls_token", "sep_token", "pad_token", "mask_token"}) {
    const std::string start = std::string("{\"") + key + "\": ";
    put("tokenizer_config.json", start + "\"<x>\"}");
    EXPECT_THAT(refused(), AllOf(HasSubstr("vocab.txt"), HasSubstr("no token `<x>`")));
    put("tokenizer_config.json", start + R"({"content": "[MASK]", "lstrip": false}})");
    EXPECT_EQ(refused(), "");
    put("tokenizer_config.json", start + "7}");
    EXPECT_THAT(refused(), HasSubstr("`" + std::string(key) + "`"));
  }
  put("tokenizer_config.json", R"({"do_basic_tokenize": true, "cls_token": "[PAD]",
                                   "unk_token": {"content": "[MASK]"}})");
  const auto made = open();
  ASSERT_TRUE(made);
  EXPECT_THAT(made->ids("a ?"), ElementsAre(0, 5, 4, 3));
}

TEST_F(PublishedModel, AVocabularyOfAnotherTokenizerIsRefusedByName) {
  for (const char* fine : {"BertTokenizer", "DistilBertTokenizerFast", "ElectraTokenizerFast"}) {
    put("tokenizer_config.json", std::string("{\"tokenizer_class\": \"") + fine + "\"}");
    EXPECT_EQ(refused(), "");
  }
  for (const char* other : {"BertJapaneseTokenizer", "AlbertTokenizer", "MPNetTokenizer"}) {
    put("tokenizer_config.json", std::string("{\"tokenizer_class\": \"") + other + "\"}");
    EXPECT_THAT(refused(), HasSubstr("`" + std::string(other) + "`"));
  }
}

TEST_F(PublishedModel, APromptBeforeEveryTextIsRefused) {
  put("config_sentence_transformers.json",
      R"({"prompts": {"query": "query: "}, "default_prompt_name": null})");
  EXPECT_EQ(refused(), "");
  put("config_sentence_transformers.json",
      R"({"prompts": {"query": "query: "}, "default_prompt_name": "query"})");
  EXPECT_THAT(refused(), HasSubstr("`default_prompt_name`"));
}

TEST_F(PublishedModel, WeightsThatOverflowAreRefused) {
  model_.change = [](auto& tensors) {
    for (float& x : tensors["encoder.layer.0.output.dense.weight"].numbers) x *= 1e38F;
    for (float& x : tensors["encoder.layer.1.attention.output.dense.weight"].numbers) x *= 1e38F;
  };
  put("model.safetensors", model_.model());
  for (const Precision precision : {Precision::fp32, Precision::int8}) {
    auto made = open_unpinned(root_.string(), precision);
    ASSERT_TRUE(made);
    const std::string_view text = "a b c";
    const auto vectors = made->embed(std::span(&text, 1));
    ASSERT_FALSE(vectors);
    EXPECT_THAT(vectors.error().where[1].second, HasSubstr("overflow"));
    std::int64_t found = 1;
    EXPECT_FALSE(passes_self_test(*made, found));
    const test::ScratchDir home;
    const auto dir = os::Dir::open(home.path().string());
    const auto put_in = bootstrap(*dir, {.from = root_.string(), .precision = precision});
    ASSERT_FALSE(put_in);
    EXPECT_THAT(put_in.error().problem.where[1].second, HasSubstr("overflow"));
    EXPECT_TRUE(fs::is_empty(home.path()));
  }
}

TEST(Share, EachNumberIsTakenOnce) {
  for (const std::size_t most : {1U, 4U, 50U}) {
    std::vector<std::atomic<int>> times(100);
    share_out(times.size(), most, [&](const Next& next) {
      while (const auto i = next()) ++times[*i];
    });
    for (const auto& one : times) EXPECT_EQ(one, 1);
  }
  share_out(0, 4, [](const Next& next) { EXPECT_FALSE(next()); });
}

TEST(Share, WhatAThreadThrowsIsThrownHere) {
  std::atomic<int> done = 0;
  const auto work = [&](const Next& next) {
    while (const auto i = next()) {
      if (*i == 3) throw std::runtime_error("three");
      ++done;
    }
  };
  EXPECT_THROW(share_out(1'000'000, 4, work), std::runtime_error);
  EXPECT_LT(done, 1'000'000);
}

}  // namespace
}  // namespace cg::pinned
