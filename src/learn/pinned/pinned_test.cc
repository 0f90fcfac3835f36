#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "base/base/text.h"
#include "base/json/json.h"
#include "learn/pinned/cache.h"
#include "learn/pinned/home.h"
#include "support/support.h"
#include "support/tiny_model.h"
#include "trust/hash/sha256.h"

namespace cg::pinned {
namespace {

using encoder::Precision;
using test::TinyModel;
using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

class PinnedModel : public testing::Test {
 protected:
  PinnedModel() {
    fs::create_directory(root_ / "home");
    fs::create_directory(root_ / "tiny");
    put("config.json", model_.config());
    put("vocab.txt", model_.vocab());
    put("model.safetensors", model_.model());
  }
  void put(const std::string& file, const std::string& text) {
    test::write(root_ / "tiny" / file, text);
  }
  [[nodiscard]] std::string from() const { return (root_ / "tiny").string(); }
  [[nodiscard]] os::Dir home() const {
    auto dir = os::Dir::open((root_ / "home").string());
    CG_ASSERT(dir.has_value());
    return *std::move(dir);
  }
  Bootstrapped put_in(std::optional<Lock> lock = {}) {
    auto made = bootstrap(home(), {.from = from(), .lock = std::move(lock)});
    if (!made) ADD_FAILURE() << made.error().problem.what << made.error().problem.where[0].second;
    return *std::move(made);
  }
  /// Every file below the workspace, with its bytes.
  [[nodiscard]] std::map<std::string, std::string> all() const {
    std::map<std::string, std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(root_ / "home")) {
      if (entry.is_regular_file()) out[entry.path().string()] = test::read(entry.path());
    }
    return out;
  }

  TinyModel model_;
  test::ScratchDir scratch_;
  fs::path root_ = scratch_.path();
};

TEST_F(PinnedModel, WithoutALockItIsPinnedAsReadAndOpenedByThat) {
  EXPECT_FALSE(*open(home()));
  const Bootstrapped made = put_in();
  EXPECT_EQ(made.how, Pinned::as_read);
  EXPECT_EQ(made.model.lock().model, "tiny");
  EXPECT_EQ(made.model.lock().files.size(), 3U);
  const auto* event = made.event.as<record::EmbedderInitialized>();
  ASSERT_NE(event, nullptr);
  EXPECT_EQ(event->dims, 48U);
  EXPECT_EQ(event->pinned, "as_read");
  EXPECT_EQ(event->weights, hash::sha256(as_bytes(model_.model())));

  fs::remove_all(root_ / "tiny");  // the workspace has its own copy
  auto opened = open(home());
  ASSERT_TRUE(opened && *opened);
  EXPECT_EQ((*opened)->lock(), made.model.lock());
  EXPECT_EQ((*opened)->id(), made.model.id());
  EXPECT_TRUE(made.model.id().starts_with("encoder-1/fp32/"));
  std::int64_t found = 0;
  EXPECT_TRUE(passes_self_test(**opened, found));
  EXPECT_EQ(found, made.model.lock().self_test);
}

TEST_F(PinnedModel, TheBillOfMaterialsNamesEachFile) {
  const Bootstrapped made = put_in();
  const auto sbom =
      json::parse_json(test::read(root_ / "home" / folder_of(made.model.lock()) / "sbom.cdx.json"));
  ASSERT_TRUE(sbom);
  EXPECT_EQ(sbom->text("specVersion"), "1.5");
  const auto& component = sbom->find("components")->as_array()->front();
  EXPECT_EQ(component.text("type"), "machine-learning-model");
  EXPECT_EQ(component.text("name"), "tiny");
  EXPECT_EQ(component.find("components")->as_array()->size(), 3U);
}

TEST_F(PinnedModel, WhatDiffersFromTheLockIsRefusedAndNothingChanges) {
  const Lock lock = put_in().model.lock();
  const auto before = all();
  put("vocab.txt", replaced(model_.vocab(), "a\n", "z\n"));
  for (const bool given : {false, true}) {
    const auto made =
        bootstrap(home(), {.from = from(), .lock = given ? std::optional(lock) : std::nullopt});
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().problem.code, ErrorCode::embed_mismatch);
    ASSERT_EQ(made.error().events.size(), 1U);
    const auto* event = made.error().events[0].as<record::EmbedderHashMismatch>();
    ASSERT_NE(event, nullptr);
    EXPECT_EQ(event->file, "vocab.txt");
    EXPECT_EQ(event->expected, lock.files[2].sha256);
    EXPECT_EQ(event->found.size(), 64U);
    EXPECT_EQ(all(), before);
  }
  fs::remove(root_ / "tiny/vocab.txt");
  const auto made = bootstrap(home(), {.from = from()});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().events[0].as<record::EmbedderHashMismatch>()->found, "it is not there");
}

TEST_F(PinnedModel, AnEditedFileOfTheWorkspaceIsFoundWhenItIsOpened) {
  const Lock lock = put_in().model.lock();
  const fs::path file = root_ / "home" / folder_of(lock) / "model.safetensors";
  std::string bytes = test::read(file);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  test::write(file, bytes);
  const auto opened = open(home());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().problem.exit(), ExitCode::integrity);
  EXPECT_EQ(opened.error().events[0].as<record::EmbedderHashMismatch>()->file, "model.safetensors");
  fs::remove_all(file.parent_path());
  EXPECT_EQ(open(home()).error().problem.code, ErrorCode::embed_mismatch);
}

TEST_F(PinnedModel, WhatAKilledBootstrapLeavesDecidesNothingAndGoesWithTheNextOne) {
  const Lock lock = put_in().model.lock();
  const fs::path half = root_ / "home/rag/model/00ff";
  fs::create_directory(half);
  test::write(half / "config.json", "{");
  EXPECT_TRUE(open(home()));
  test::write(root_ / "home" / folder_of(lock) / "vocab.txt", "half");  // of the same model
  EXPECT_FALSE(open(home()));
  EXPECT_EQ(put_in().model.lock(), lock);
  EXPECT_TRUE(open(home()));
  EXPECT_FALSE(fs::exists(half));
}

TEST_F(PinnedModel, AnotherModelTakesItsPlaceWithALockAlone) {
  const Lock first = put_in().model.lock();
  const test::ScratchDir elsewhere;
  model_.seed = 2;
  put("model.safetensors", model_.model());
  EXPECT_FALSE(bootstrap(home(), {.from = from()}));
  fs::create_directory(elsewhere / "other");
  const auto other = os::Dir::open(elsewhere / "other");
  const auto made = bootstrap(*other, {.from = from()});
  ASSERT_TRUE(made);
  const Bootstrapped replaced_by = put_in(made->model.lock());
  EXPECT_EQ(replaced_by.how, Pinned::by_lock);
  EXPECT_NE(replaced_by.model.id(), first.id());
  EXPECT_FALSE(fs::exists(root_ / "home" / folder_of(first)));
}

TEST_F(PinnedModel, PrecisionIsPartOfTheId) {
  const auto made = bootstrap(home(), {.from = from(), .precision = Precision::int8});
  ASSERT_TRUE(made);
  EXPECT_TRUE(made->model.id().starts_with("encoder-1/int8/"));
  EXPECT_EQ((*open(home()))->lock().precision, Precision::int8);
}

TEST_F(PinnedModel, ModelsThatAreNoneAreRefusedAndNothingIsWritten) {
  const auto refused = [&] {
    const auto made = bootstrap(home(), {.from = from()});
    EXPECT_TRUE(made || all().empty());
    return made ? "" : made.error().problem.where.back().second;
  };
  put("model.safetensors", model_.model().substr(0, 1000));
  EXPECT_THAT(refused(), HasSubstr("header"));
  put("model.safetensors", model_.model());
  put("config.json", "{}");
  EXPECT_THAT(refused(), HasSubstr("model_type"));
  put("config.json", replaced(model_.config(), "\"vocab_size\": 40", "\"vocab_size\": 39"));
  EXPECT_THAT(refused(), HasSubstr("smaller than the vocabulary"));
  put("config.json", model_.config());
  put("tokenizer_config.json", R"({"do_lower_case": "yes"})");
  EXPECT_THAT(refused(), HasSubstr("neither true nor false"));
  fs::remove(root_ / "tiny/tokenizer_config.json");
  fs::create_directory(root_ / "tiny/1_Pooling");
  put("1_Pooling/config.json", R"({"pooling_mode_cls_token": true})");
  EXPECT_THAT(refused(), HasSubstr("`pooling_mode_cls_token`"));
  put("1_Pooling/config.json", R"({"pooling_mode_mean_tokens": true})");
  fs::remove(root_ / "tiny/vocab.txt");
  EXPECT_THAT(refused(), HasSubstr("neither"));
  fs::create_symlink("/etc/hostname", root_ / "tiny/vocab.txt");
  EXPECT_THAT(refused(), HasSubstr("link"));
  fs::remove(root_ / "tiny/vocab.txt");
  put("vocab.txt", model_.vocab());
  EXPECT_EQ(refused(), "");
}

TEST_F(PinnedModel, AnyTextHasAVectorAndThreadsDoNotShow) {
  const Bootstrapped made = put_in();
  std::vector<std::string> texts = {
      "", std::string(10U << 20U, 'a'), "🚀🔥🚀", std::string(100, '\0'), "\xff\xfe", "abc"};
  for (int i = 0; i < 200; ++i) texts.push_back(std::string(static_cast<std::size_t>(i % 90), 'b'));
  std::vector<encoder::Ids> ids;
  for (const std::string& text : texts) ids.push_back(made.model.ids(text));
  const auto vectors = made.model.vectors(ids);
  EXPECT_EQ(vectors[0], vectors[3]);  // nothing but [CLS] and [SEP]
  for (std::size_t i = 0; i < texts.size(); i += 7) {
    EXPECT_EQ(made.model.vectors(std::span(ids).subspan(i, 1)).front(), vectors[i]) << i;
  }
}

TEST(Lock, ReadsWhatItWritesAndNothingElse) {
  Lock lock{"all \"quoted\"", 384, Precision::int8, -12, {}};
  for (const char* file : {"config.json", "model.safetensors", "vocab.txt"}) {
    lock.files.push_back({file, hash::sha256(as_bytes(file))});
  }
  const std::string text = write_lock(lock);
  const auto read = parse_lock(text);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(*read, lock);
  const auto error = [&](std::string_view what, std::string_view by) {
    CG_ASSERT(text.find(what) != std::string::npos);
    const auto again = parse_lock(replaced(text, what, by));
    return again ? "" : again.error();
  };
  EXPECT_THAT(error("lock/v1", "lock/v2"), HasSubstr("schema"));
  EXPECT_THAT(error("dims: 384", "dims: 0"), HasSubstr("dims"));
  EXPECT_THAT(error("int8", "int4"), HasSubstr("precision"));
  EXPECT_THAT(error("self_test: -12", "self_test: 10001"), HasSubstr("self_test"));
  EXPECT_THAT(error("name: vocab.txt", "name: ../x"), HasSubstr("no file of a model"));
  EXPECT_THAT(error("name: vocab.txt", "name: config.json"), HasSubstr("twice"));
  EXPECT_THAT(error("name: vocab.txt", "name: tokenizer_config.json"), HasSubstr("needs"));
  EXPECT_THAT(error("sha256: \"", "sha256: \"0"), HasSubstr("64"));
  EXPECT_THAT(error("dims:", "dimensions:"), HasSubstr("unknown key"));
  EXPECT_THAT(error("model: ", "model: \"\"\nmodel: "), HasSubstr("duplicate key"));
}

/// Counts what it is asked.
class Asked final : public embedding::Embedder {
 public:
  explicit Asked(std::string id) : id_(std::move(id)) {}
  std::string_view id() const override { return id_; }
  std::size_t dims() const override { return 2; }
  Result<std::vector<embedding::Vector>, Problem> embed(
      std::span<const std::string_view> texts) override {
    std::vector<embedding::Vector> out;
    for (const std::string_view text : texts) {
      ++asked;
      out.push_back({static_cast<float>(text.size()), 1});
    }
    return out;
  }
  int asked = 0;

 private:
  std::string id_;
};

class EmbeddingCache : public testing::Test {
 protected:
  embedding::Vector get(Cache& cache, std::string_view text) {
    const auto out = cache.embed(std::span(&text, 1));
    CG_ASSERT(out.has_value() && out->size() == 1);
    return out->front();
  }
  [[nodiscard]] std::vector<fs::path> entries() const {
    std::vector<fs::path> out;
    for (const auto& entry : fs::directory_iterator(root_ / kCache)) out.push_back(entry.path());
    return out;
  }
  test::ScratchDir scratch_;
  fs::path root_ = scratch_.path();
  os::Dir home_ = *os::Dir::open(root_.string());
  Asked inner_{"one"};
};

TEST_F(EmbeddingCache, ATextIsMadeOncePerEmbedder) {
  Cache cache(inner_, home_);
  EXPECT_THAT(get(cache, "abc"), ElementsAre(3, 1));
  EXPECT_THAT(get(cache, "abc"), ElementsAre(3, 1));
  EXPECT_EQ(inner_.asked, 1);
  Asked other("two");
  Cache of_other(other, home_);
  EXPECT_THAT(get(of_other, "abc"), ElementsAre(3, 1));
  EXPECT_EQ(other.asked, 1);
  EXPECT_EQ(cache.counts().found, 1U);
  EXPECT_EQ(cache.counts().rejected + of_other.counts().rejected, 0U);
}

TEST_F(EmbeddingCache, SomeFoundAndSomeMadeComeInOrder) {
  Cache cache(inner_, home_);
  static_cast<void>(get(cache, "bb"));
  const std::vector<std::string_view> texts = {"a", "bb", "", "bb", "dddd"};
  const auto out = cache.embed(texts);
  ASSERT_TRUE(out);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ((*out)[i][0], static_cast<float>(texts[i].size()));
  }
  EXPECT_EQ(inner_.asked, 4);
}

TEST_F(EmbeddingCache, EveryEditedByteAndEveryCutIsFoundAndReplaced) {
  Cache cache(inner_, home_);
  static_cast<void>(get(cache, "abc"));
  ASSERT_EQ(entries().size(), 1U);
  const fs::path file = entries()[0];
  const std::string good = test::read(file);
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    test::write(file, i % 2 == 0 ? bad : good.substr(0, i));
    const auto rejected = cache.counts().rejected;
    EXPECT_THAT(get(cache, "abc"), ElementsAre(3, 1));
    EXPECT_EQ(cache.counts().rejected, rejected + 1) << i;
    EXPECT_EQ(test::read(file), good);
  }
}

TEST_F(EmbeddingCache, AnotherTextsEntryInItsPlaceIsFoundAndNotUsed) {
  Cache cache(inner_, home_);
  static_cast<void>(get(cache, "abc"));
  const fs::path place = entries()[0];
  fs::rename(place, root_ / "kept");
  static_cast<void>(get(cache, "something else"));
  ASSERT_EQ(entries().size(), 1U);
  fs::rename(entries()[0], place);
  EXPECT_THAT(get(cache, "abc"), ElementsAre(3, 1));
  EXPECT_EQ(cache.counts().rejected, 1U);
}

TEST_F(EmbeddingCache, AWorkspaceThatCannotBeWrittenStillEmbeds) {
  test::write(root_ / "cache", "no folder");
  Cache cache(inner_, home_);
  EXPECT_THAT(get(cache, "abc"), ElementsAre(3, 1));
}

}  // namespace
}  // namespace cg::pinned
