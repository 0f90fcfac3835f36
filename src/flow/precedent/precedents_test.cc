// A workspace in which something was learned, in this process: what is found again of it, and what
// somebody who can write there changes of that.
#include "flow/precedent/precedents.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "base/os/ports.h"
#include "flow/precedent/samples_test.h"
#include "flow/precedent/teaching.h"
#include "learn/lexical/lexical.h"
#include "learn/rag/bench_test.h"
#include "support/new_workspace.h"
#include "support/tiny_model.h"
#include "trust/audit/workflow_log.h"

namespace cg::precedent {
namespace {

namespace fs = std::filesystem;
using cg::test::TinyModel;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::StartsWith;

class Learned : public testing::Test {
 protected:
  [[nodiscard]] const os::Dir& home() const { return access_.workspace.home; }
  [[nodiscard]] std::string path(const std::string& name) const { return home().path_of(name); }

  /// Pins a model of its own kind.
  void pin() {
    const std::string from = scratch_ / "tiny";
    fs::create_directory(from);
    cg::test::write(from + "/config.json", model_.config());
    cg::test::write(from + "/vocab.txt", model_.vocab());
    cg::test::write(from + "/model.safetensors", model_.model());
    const auto made = pinned::bootstrap(home(), {.from = from});
    ASSERT_TRUE(made);
  }
  /// A model that nobody would have let in.
  void pin_unchecked(const std::string& weights) {
    pin();
    const auto files = std::vector<pinned::ModelFile>{{"config.json", model_.config()},
                                                      {"model.safetensors", weights},
                                                      {"vocab.txt", model_.vocab()}};
    const pinned::Lock lock{"tiny", 48, encoder::Precision::fp32, {}, pinned::digests(files)};
    ASSERT_TRUE(home().make_dir(pinned::folder_of(lock)));
    for (const pinned::ModelFile& file : files) {
      ASSERT_TRUE(home().write_atomic(pinned::folder_of(lock) + "/" + file.name, file.bytes));
    }
    ASSERT_TRUE(home().write_atomic(pinned::kLock, pinned::write_lock(lock)));
  }

  [[nodiscard]] audit::Log log() {
    auto out = workspace::open_log(access_, clock_);
    CG_ASSERT(out.has_value());
    return *std::move(out);
  }
  /// The id of a record whose answer calls `name`.
  std::string learn(const std::string& name) {
    example::Example lesson = lesson_of(test::breaking());
    Texts rewritten = test::kRewritten;
    for (auto& [file, text] : rewritten) text = cg::test::replaced(text, "openSession", name);
    add_answer(lesson, {"callsite_rewrite", "+" + name, rewritten, example::Author::model, "m"},
               test::kFiles);
    std::string workflow;
    {
      audit::Log all = log();
      auto stream = audit::WorkflowLog::start(all, "remediate", clock_, random_);
      CG_ASSERT(stream.has_value());
      workflow = stream->id().str();
      CG_ASSERT(std::move(*stream).end(all, "fixed").has_value());
    }
    Lessons lessons;
    lessons.lessons.push_back({std::move(lesson), {}, 1});
    lessons.lessons.back().proof.push_back(rag::test::passed());
    const auto policy = workspace::read_policy(access_.workspace);
    CG_ASSERT(policy.has_value());
    record::Events events;
    std::vector<std::string> warnings;
    const auto ids = teach(access_, *policy, workflow, std::move(lessons), events, warnings);
    EXPECT_THAT(warnings, IsEmpty());
    EXPECT_EQ(ids.size(), 1U);
    return ids.empty() ? "" : ids.front();
  }

  [[nodiscard]] std::unique_ptr<Precedents> open(
      Precedents::Look look = Precedents::Look::store) const {
    auto out = Precedents::open(access_, look);
    if (!out) ADD_FAILURE() << out.error().what;
    CG_ASSERT(out.has_value());
    (*out)->about("group", lesson_of(test::breaking()));
    return *std::move(out);
  }
  [[nodiscard]] std::vector<tiers::Example> nearest(Precedents& of) {
    events_.clear();
    tiers::Question question;
    question.group = "group";
    return of.nearest(question, 2, events_);
  }
  [[nodiscard]] std::string similarity() const {
    for (const record::Event& event : events_) {
      if (const auto* query = event.as<record::RagQuery>()) return query->similarity;
    }
    return "";
  }

  TinyModel model_;
  cg::test::ScratchDir scratch_;
  os::SystemClock clock_;
  os::SystemRandom random_;
  workspace::Access access_ = cg::test::new_workspace(scratch_);
  record::Events events_;
};

Embedding embedding_of(const workspace::Access& access) {
  auto out = Embedding::open(access);
  CG_ASSERT(out.has_value());
  return *std::move(out);
}

TEST_F(Learned, WithoutAModelAspectsAreEmbeddedByTheirWords) {
  Embedding embedding = embedding_of(access_);
  EXPECT_EQ(embedding.id(), lexical::kId);
  EXPECT_EQ(embedding.dims(), lexical::kDims);
  const example::Aspects aspects{"one", "two", "three"};
  EXPECT_EQ(*embedding.embed(aspects), lexical::embed(aspects));
  EXPECT_EQ(*embedding.recall(aspects), lexical::embed(aspects));
}

TEST_F(Learned, AModelReadsEachAspectByItself) {
  pin();
  Embedding embedding = embedding_of(access_);
  EXPECT_THAT(embedding.id(), StartsWith("encoder-1/fp32/"));
  EXPECT_THAT(embedding.id(), EndsWith("+aspects-1"));
  EXPECT_EQ(embedding.dims(), 48U);
  auto model = pinned::open(home());
  ASSERT_TRUE(model && *model);
  const std::vector<std::string_view> texts = {"a b", "c d", "e"};
  const auto each = (*model)->embed(texts);
  ASSERT_TRUE(each);
  std::vector<float> wanted(48);
  for (std::size_t i = 0; i < 48; ++i) {
    wanted[i] = 2 * (*each)[0][i] + 3 * (*each)[1][i] + 3 * (*each)[2][i];
  }
  const example::Aspects aspects{"a b", "c d", "e"};
  const auto made = embedding.embed(aspects);
  ASSERT_TRUE(made);
  EXPECT_NEAR(embedding::cosine(*made, wanted), 1, 1e-6);
  EXPECT_TRUE(retrieve::fits(*made, 48));
  EXPECT_EQ(*embedding.recall(aspects), *made);
  EXPECT_EQ(*embedding.recall(aspects), *made);  // remembered now
  EXPECT_NEAR(embedding::cosine(*embedding.embed({"", "c d", ""}), (*each)[1]), 1, 1e-6);
  EXPECT_EQ(*embedding.embed({}), std::vector<float>(48));
}

/// Gives every text the same vector, under another's id.
class Liar final : public embedding::Embedder {
 public:
  explicit Liar(std::string id) : id_(std::move(id)) {}
  std::string_view id() const override { return id_; }
  std::size_t dims() const override { return 48; }
  Result<std::vector<embedding::Vector>, Problem> embed(
      std::span<const std::string_view> texts) override {
    embedding::Vector one(48);
    one[0] = 1;
    return std::vector<embedding::Vector>(texts.size(), one);
  }

 private:
  std::string id_;
};

TEST_F(Learned, WhatIsLoggedIsNeverTakenFromTheCache) {
  pin();
  const auto model = pinned::open(home());
  ASSERT_TRUE(model && *model);
  Liar liar{std::string((*model)->id())};
  pinned::Cache forged(liar, home());
  const example::Aspects aspects = aspects_of(lesson_of(test::breaking()));
  const std::vector<std::string_view> texts = {aspects.summary, aspects.difference, aspects.usage};
  ASSERT_TRUE(forged.embed(texts));
  Embedding embedding = embedding_of(access_);
  EXPECT_EQ(embedding.recall(aspects)->at(0), 1);  // the cache cannot tell
  EXPECT_NE(embedding.embed(aspects)->at(0), 1);
  const std::string id = learn("openSession");
  const auto store = rag::Reader::open(home(), embedding.id());
  ASSERT_TRUE(store);
  EXPECT_EQ(store->find(id)->vectors, *embedding.embed(aspects));
}

TEST_F(Learned, AModelThatIsNotTheLockedOneIsNotPassedOver) {
  pin();
  const auto lock = pinned::read_lock(home());
  ASSERT_TRUE(lock && *lock);
  cg::test::write(path(pinned::folder_of(**lock) + "/vocab.txt"), "x\n");
  EXPECT_FALSE(Precedents::open(access_));
  EXPECT_EQ(log().state().kinds.at("embedder_hash_mismatch"), 1U);
}

TEST_F(Learned, WhatWasLearnedIsFoundAgain) {
  const auto nothing = open();
  EXPECT_THAT(nearest(*nothing), IsEmpty());
  EXPECT_THAT(events_, IsEmpty());
  const std::string id = learn("openSession");
  const auto precedents = open();
  const auto found = nearest(*precedents);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].record, id);
  EXPECT_EQ(found[0].similarity, "1.000");
  EXPECT_FALSE(found[0].degraded);
  EXPECT_THAT(found[0].text, HasSubstr("openSession"));
  // Of all that is looked at it is an estimate.
  EXPECT_THAT(similarity(), MatchesRegex(id + " 1.00. verified"));
  tiers::Question other;
  other.group = "another";
  EXPECT_THAT(precedents->nearest(other, 1, events_), IsEmpty());
  EXPECT_THAT(nearest(*open(Precedents::Look::nowhere)), IsEmpty());
  EXPECT_THAT(precedents->warnings(), IsEmpty());
}

TEST_F(Learned, ByAModelItIsNearAtMost) {
  pin();
  const std::string id = learn("openSession");
  const auto found = nearest(*open());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].record, id);
  EXPECT_TRUE(found[0].degraded);
}

TEST_F(Learned, AFileThatSomebodyPutThereCostsNothingAndChangesNoStatus) {
  const std::string id = learn("openSession");
  const std::string bytes = cg::test::read(path("rag/records/" + id + ".json"));
  const std::string planted = "rec-" + std::string(24, '0');
  cg::test::write(path("rag/records/" + planted + ".json"), bytes);
  cg::test::write(path("rag/records/" + id), bytes);
  const auto found = nearest(*open());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].record, id);
  // The same text as the real one, and nobody computed its vector.
  EXPECT_THAT(similarity(), ContainsRegex("^" + id + " 1.00. verified"));
  EXPECT_THAT(similarity(), HasSubstr(planted + " 0.000 orphan"));
  EXPECT_THAT(similarity(), HasSubstr("file:" + id + " 0.000 orphan"));
}

TEST_F(Learned, AVectorThatWasLostIsMadeAgainIfItIsTheLogs) {
  const std::string id = learn("openSession");
  fs::remove(path("rag/index.sqlite"));
  EXPECT_EQ(nearest(*open()).size(), 1U);
  {
    audit::Log all = log();
    auto writer = rag::Writer::open(home(), all);
    ASSERT_TRUE(writer);
    std::vector<float> another(lexical::kDims);
    another[0] = 1;
    ASSERT_TRUE(writer->keep_vectors(std::string(lexical::kId), {{id, another}}));
  }
  fs::remove(path("rag/index.sqlite"));
  const auto precedents = open();
  EXPECT_THAT(nearest(*precedents), IsEmpty());
  EXPECT_THAT(precedents->warnings(), ElementsAre(HasSubstr(id + " is not looked for")));
}

TEST_F(Learned, ThatNothingCouldBeLookedForIsTold) {
  model_.change = [](auto& tensors) {
    for (float& x : tensors["encoder.layer.0.output.dense.weight"].numbers) x *= 1e38F;
    for (float& x : tensors["encoder.layer.1.attention.output.dense.weight"].numbers) x *= 1e38F;
  };
  const std::string weights = model_.model();
  model_.change = {};
  pin_unchecked(weights);
  const auto precedents = open();
  EXPECT_THAT(nearest(*precedents), IsEmpty());
  EXPECT_THAT(nearest(*precedents), IsEmpty());
  EXPECT_THAT(precedents->warnings(),
              ElementsAre(HasSubstr("no solved example was looked for: the model cannot")));
}

TEST_F(Learned, TheNewestThatFitsIsCarriedOver) {
  const std::string first = learn("openSession");
  const Texts files = {{"lib/b.js",
                        "const s = require('tinysession');\n"
                        "function f(who) { const o = s.open(who); return o.id; }\n"}};
  const auto api = exports::read_files(
      {{"package.json", R"({"name": "tinysession"})"},
       {"index.js", "exports.openSession = (n) => ({});\nexports.openNew = (n) => ({});"}});
  ASSERT_TRUE(api);
  const auto carry = [&](const Texts& to, const exports::Api& of) {
    events_.clear();
    return open()->carry("group", to, &of, 1, events_);
  };
  Carrying one = carry(files, *api);
  ASSERT_TRUE(one.carried);
  EXPECT_EQ(one.carried->record, first);
  EXPECT_THAT(one.carried->rewritten.at("lib/b.js"), HasSubstr("s.openSession(who)"));
  ASSERT_EQ(events_.size(), 1U);
  EXPECT_EQ(events_[0].as<record::RagHit>()->record, first);

  const std::string second = learn("openNew");
  one = carry(files, *api);
  ASSERT_TRUE(one.carried);
  EXPECT_EQ(one.carried->record, second);
  EXPECT_THAT(one.carried->rewritten.at("lib/b.js"), HasSubstr("s.openNew(who)"));
  // The version that it moves to does not have that name: the one before is tried.
  const auto older = exports::read_files({{"package.json", R"({"name": "tinysession"})"},
                                          {"index.js", "exports.openSession = (n) => ({});"}});
  ASSERT_TRUE(older);
  one = carry(files, *older);
  ASSERT_TRUE(one.carried);
  EXPECT_EQ(one.carried->record, first);
  EXPECT_THAT(one.refusals, ElementsAre(StartsWith(second + ": lib/b.js: ")));

  one = carry({{"a.ts", "import s from 'tinysession';\n"}}, *api);
  EXPECT_FALSE(one.carried);
  EXPECT_EQ(one.refusals.size(), 2U);
  EXPECT_THAT(events_, IsEmpty());
  EXPECT_FALSE(open()->carry("another", files, &*api, 1, events_).carried);
  EXPECT_FALSE(open(Precedents::Look::nowhere)->carry("group", files, &*api, 1, events_).carried);
}

}  // namespace
}  // namespace cg::precedent
