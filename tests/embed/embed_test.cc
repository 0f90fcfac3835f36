#include <gmock/gmock.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/base/text.h"
#include "base/json/json.h"
#include "learn/pinned/home.h"
#include "support/support.h"

namespace cg::test {
namespace {

using embedding::cosine;
using embedding::Vector;
using encoder::Ids;
using encoder::Precision;
namespace fs = std::filesystem;

struct Reference {
  std::vector<std::string> texts;
  std::vector<Ids> ids;
  std::vector<Vector> vectors;
};

Reference read_reference(const fs::path& file) {
  Reference out;
  const std::string text = read(file);
  for (const std::string_view line : split(text, '\n')) {
    if (line.empty()) continue;
    const auto row = json::parse_json(line);
    CG_ASSERT(row.has_value());
    out.texts.push_back(row->text("text"));
    out.ids.emplace_back();
    for (const auto& id : *row->find("input_ids")->as_array()) {
      out.ids.back().push_back(static_cast<std::uint32_t>(*id.as_int()));
    }
    out.vectors.emplace_back();
    for (const auto& x : *row->find("embedding")->as_array()) {
      const auto whole = x.as_int();
      out.vectors.back().push_back(
          static_cast<float>(whole ? static_cast<double>(*whole) : *x.as_double()));
    }
  }
  return out;
}

pinned::Model open_model(const fs::path& folder, Precision precision) {
  auto model = pinned::open_unpinned(folder.string(), precision);
  if (!model) {
    ADD_FAILURE() << model.error().what << ": " << model.error().where[1].second;
    std::abort();
  }
  return *std::move(model);
}

/// Every id, and every vector to `least`; returns the worst cosine.
double compare(const fs::path& folder, Precision precision, double least) {
  const Reference wanted = read_reference(folder / "reference.jsonl");
  EXPECT_GE(wanted.texts.size(), 10U);
  const pinned::Model model = open_model(folder, precision);
  std::vector<Ids> ids;
  for (std::size_t i = 0; i < wanted.texts.size(); ++i) {
    ids.push_back(model.ids(wanted.texts[i]));
    EXPECT_EQ(ids.back(), wanted.ids[i]) << folder << ": " << printable(wanted.texts[i]);
  }
  const auto vectors = model.vectors(ids);
  double worst = 1;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const double found = cosine(vectors[i], wanted.vectors[i]);
    EXPECT_GE(found, least) << folder << ": " << printable(wanted.texts[i]);
    worst = std::min(worst, found);
  }
  return worst;
}

class OwnModel : public testing::TestWithParam<const char*> {
 protected:
  static void SetUpTestSuite() {
    scratch_ = std::make_unique<ScratchDir>();
    const Ran ran = run({"node", CG_MAKE_MODEL, scratch_->path().string()}, {}, "");
    ASSERT_EQ(ran.exit, 0) << ran.err;
  }
  static void TearDownTestSuite() { scratch_.reset(); }
  [[nodiscard]] static fs::path folder() { return scratch_->path() / GetParam(); }
  static std::unique_ptr<ScratchDir> scratch_;
};
std::unique_ptr<ScratchDir> OwnModel::scratch_;
INSTANTIATE_TEST_SUITE_P(Kinds, OwnModel, testing::Values("f32", "f16", "bf16"),
                         [](const auto& given) { return given.param; });

TEST_P(OwnModel, IdsAndVectorsAreThoseOfLongArithmetic) {
  RecordProperty("worst", std::to_string(compare(folder(), Precision::fp32, 0.9999999)));
}

TEST_P(OwnModel, WholeNumbersComeNear) {
  RecordProperty("worst", std::to_string(compare(folder(), Precision::int8, 0.999)));
}

/// Each folder of models with references that is there.
std::vector<fs::path> golden() {
  const char* named = std::getenv("CG_GOLDEN_EMBEDDER");
  const fs::path top = named != nullptr ? named : CG_SHARED;
  std::vector<fs::path> out;
  if (!fs::is_directory(top)) return out;
  for (const auto& entry : fs::directory_iterator(top)) {
    if (fs::exists(entry.path() / "reference.jsonl")) out.push_back(entry.path());
  }
  return out;
}

TEST(GoldenModel, IdsAndVectorsAreThoseOfItsMakersTools) {
  const auto folders = golden();
  if (folders.empty()) GTEST_SKIP() << "no model with references beside the project";
  for (const fs::path& folder : folders) {
    const double worst = compare(folder, Precision::fp32, 0.99999);
    std::printf("%s fp32: worst cosine %.9f\n", folder.filename().c_str(), worst);
  }
}

TEST(GoldenModel, WholeNumbersComeNear) {
  const auto folders = golden();
  if (folders.empty()) GTEST_SKIP() << "no model with references beside the project";
  for (const fs::path& folder : folders) {
    const double worst = compare(folder, Precision::int8, 0.999);
    std::printf("%s int8: worst cosine %.9f\n", folder.filename().c_str(), worst);
  }
}

/// The vocabulary alone says the same as tokenizer.json, where that asks for nothing unusual.
TEST(GoldenModel, TheVocabularyAloneGivesTheSameIds) {
  const auto folders = golden();
  if (folders.empty()) GTEST_SKIP() << "no model with references beside the project";
  for (const fs::path& folder : folders) {
    if (!fs::exists(folder / "vocab.txt")) continue;
    const auto tokens = tokenizer::Tokenizer::from_vocab(read(folder / "vocab.txt"), {});
    ASSERT_TRUE(tokens) << tokens.error().what;
    const Reference wanted = read_reference(folder / "reference.jsonl");
    const std::size_t max = open_model(folder, Precision::fp32).max_tokens();
    for (std::size_t i = 0; i < wanted.texts.size(); ++i) {
      EXPECT_EQ(tokens->ids(wanted.texts[i], max), wanted.ids[i]) << printable(wanted.texts[i]);
    }
  }
}

}  // namespace
}  // namespace cg::test
