// The commands about the embedding model, with a model of our own.
#include <gmock/gmock.h>

#include "base/json/json.h"
#include "binary.h"
#include "support/tiny_model.h"

namespace cg::test {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class Embeddings : public testing::Test {
 protected:
  Embeddings() {
    const TinyModel model;
    fs::create_directory(scratch_ / "tiny");
    write(scratch_ / "tiny/config.json", model.config());
    write(scratch_ / "tiny/vocab.txt", model.vocab());
    write(scratch_ / "tiny/model.safetensors", model.model());
    write(scratch_ / "texts.jsonl", "{\"text\": \"abc\"}\n{\"text\": \"\"}\n{\"text\": \"a\"}\n");
  }
  [[nodiscard]] Ran sh(const std::string& script) const { return run_script(script, scratch_); }
  [[nodiscard]] std::string log() const { return sh("codegenie audit log").out; }
  /// Of everything in the workspace but the log, which hears of what was refused.
  [[nodiscard]] std::string state() const {
    return sh("cd " + home_ + " && find rag cache -type f | sort | xargs sha256sum").out;
  }

  ScratchDir scratch_;
  const std::string home_ = "home/.local/state/codegenie/";
};

TEST_F(Embeddings, AModelIsPutInCheckedAndUsed) {
  EXPECT_EQ(sh("codegenie init && codegenie embeddings status").exit, 0);
  EXPECT_EQ(sh("codegenie embeddings verify").exit, 10);
  EXPECT_EQ(sh("codegenie embeddings embed texts.jsonl").exit, 10);

  const Ran put = sh("codegenie embeddings bootstrap --from tiny");
  EXPECT_EQ(put.exit, 0) << put.err;
  EXPECT_THAT(put.out, HasSubstr("Model tiny, "));
  EXPECT_THAT(put.out, HasSubstr("pinned as read: nothing vouches for it"));
  EXPECT_THAT(log(), HasSubstr("embedder_initialized"));

  fs::rename(scratch_ / "tiny", scratch_ / "elsewhere");
  const Ran verified = sh("codegenie embeddings verify");
  EXPECT_EQ(verified.exit, 0) << verified.err;
  EXPECT_THAT(verified.out, HasSubstr("matches embeddings_model.lock"));

  const Ran made = sh("codegenie embeddings embed < texts.jsonl");
  EXPECT_EQ(made.exit, 0) << made.err;
  const std::string first = made.out.substr(0, made.out.find('\n'));
  const auto row = json::parse_json(first);
  ASSERT_TRUE(row) << first;
  EXPECT_EQ(row->find("input_ids")->as_array()->size(), 5U);  // a ##b ##c
  EXPECT_EQ(row->find("embedding")->as_array()->size(), 48U);
  EXPECT_THAT(sh("codegenie embeddings status").out, HasSubstr("3 vectors"));
  EXPECT_EQ(sh("codegenie embeddings embed texts.jsonl").out, made.out);
  EXPECT_EQ(sh("codegenie embeddings embed texts.jsonl --model elsewhere").out, made.out);

  // The same again by the lock of the workspace, and by that lock in another workspace.
  EXPECT_THAT(sh("codegenie embeddings bootstrap --from elsewhere").out,
              HasSubstr("matches embeddings_model.lock"));
  const Ran given =
      sh("codegenie --home h init >&2; codegenie --home h embeddings bootstrap --from elsewhere "
         "--lock " +
         home_ + "rag/embeddings_model.lock");
  EXPECT_EQ(given.exit, 0) << given.err;
  EXPECT_THAT(given.out, HasSubstr("matches the lock that was given"));
}

TEST_F(Embeddings, AnotherFileEndsWithFourIsRecordedAndChangesNothing) {
  EXPECT_EQ(sh("codegenie init && codegenie embeddings bootstrap --from tiny").exit, 0);
  const std::string before = state();
  EXPECT_THAT(before, HasSubstr("rag/embeddings_model.lock"));
  EXPECT_EQ(sh("printf x >> tiny/vocab.txt").exit, 0);
  const Ran other = sh("codegenie embeddings bootstrap --from tiny");
  EXPECT_EQ(other.exit, 4);
  EXPECT_THAT(other.err, HasSubstr("CG-EMBED-001"));
  EXPECT_EQ(state(), before);
  EXPECT_THAT(sh("codegenie audit log --severity block").out, HasSubstr("embedder_hash_mismatch"));

  EXPECT_EQ(sh("printf x >> " + home_ + "rag/model/*/vocab.txt").exit, 0);
  EXPECT_EQ(sh("codegenie embeddings verify").exit, 4);
  EXPECT_EQ(sh("codegenie embeddings embed texts.jsonl").exit, 4);
  EXPECT_EQ(sh("codegenie audit verify").exit, 0);
}

TEST_F(Embeddings, AnEditedEntryOfTheCacheIsToldAndMadeAnew) {
  EXPECT_EQ(sh("codegenie init && codegenie embeddings bootstrap --from tiny").exit, 0);
  const Ran made = sh("codegenie embeddings embed texts.jsonl");
  EXPECT_THAT(made.err, testing::Not(HasSubstr("cache")));
  EXPECT_EQ(sh("for f in " + home_ + "cache/embeddings/*; do printf x >> $f; done").exit, 0);
  const Ran again = sh("codegenie embeddings embed texts.jsonl");
  EXPECT_EQ(again.out, made.out);
  EXPECT_THAT(again.err, HasSubstr("3 entries of the cache did not hold"));
  EXPECT_THAT(sh("codegenie embeddings embed texts.jsonl").err, testing::Not(HasSubstr("cache")));
}

TEST_F(Embeddings, AnyFolderServesWithoutAWorkspace) {
  const Ran made =
      sh("codegenie embeddings embed texts.jsonl --model tiny --precision int8 --json");
  EXPECT_EQ(made.exit, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("encoder-1/int8/"));
  EXPECT_FALSE(fs::exists(scratch_ / "home/.local"));
  EXPECT_EQ(sh("codegenie embeddings embed texts.jsonl --model nowhere").exit, 2);
  write(scratch_ / "tiny/model.safetensors", "short");
  EXPECT_EQ(sh("codegenie embeddings embed texts.jsonl --model tiny").exit, 4);
  EXPECT_EQ(sh("echo nonsense | codegenie embeddings embed --model tiny").exit, 2);
}

}  // namespace
}  // namespace cg::test
