// Model: an encoder with its vocabulary, from the files it was published with.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/os/dir.h"
#include "learn/embedding/embedder.h"
#include "learn/encoder/encoder.h"
#include "learn/pinned/lock.h"
#include "learn/pinned/settings.h"
#include "learn/tokenizer/tokenizer.h"

namespace cg::pinned {

inline constexpr std::size_t kMaxModelBytes = 1U << 30U;

/// In the order of kFileNames, those of them that `folder` has. What stands beside them is not
/// looked at, but for what says that the model is not used as it is computed here (settings.h).
[[nodiscard]] Result<std::vector<ModelFile>, Problem> read_files(const os::Dir& folder);

/// Of each, in their order.
[[nodiscard]] std::vector<LockedFile> digests(std::span<const ModelFile> files);

class Model final : public embedding::Embedder {
 public:
  /// `lock` says by what name and id, and in which precision; the files were compared with it, or
  /// it was made of them. Dims follow from the files.
  [[nodiscard]] static Result<Model, Problem> load(Lock lock, std::vector<ModelFile> files);

  [[nodiscard]] std::string_view id() const override { return id_; }
  [[nodiscard]] std::size_t dims() const override { return encoder_.config().hidden; }
  /// An error if weights are so large that a vector would be of no numbers.
  [[nodiscard]] Result<std::vector<embedding::Vector>, Problem> embed(
      std::span<const std::string_view> texts) override;

  [[nodiscard]] encoder::Ids ids(std::string_view text) const;
  /// Several threads, as many as there are processors and work for them; none of it shows in the
  /// result. Of weights that overflow they are as they come: embed() refuses those.
  [[nodiscard]] std::vector<embedding::Vector> vectors(std::span<const encoder::Ids> texts) const;

  /// A cosine that is the same to a few digits wherever the model computes what it should.
  [[nodiscard]] Result<std::int64_t, Problem> self_test() const;

  /// The same with that number in its lock.
  [[nodiscard]] Model with_self_test(std::int64_t found) && {
    lock_.self_test = found;
    return std::move(*this);
  }

  [[nodiscard]] const Lock& lock() const { return lock_; }
  [[nodiscard]] const encoder::Encoder& encoder() const { return encoder_; }
  [[nodiscard]] std::size_t max_tokens() const { return max_tokens_; }

 private:
  Model(Lock lock, tokenizer::Tokenizer tokenizer, encoder::Encoder encoder,
        std::size_t max_tokens);
  [[nodiscard]] Result<std::vector<embedding::Vector>, Problem> sound(
      std::span<const encoder::Ids> texts) const;

  Lock lock_;
  std::string id_;
  tokenizer::Tokenizer tokenizer_;
  encoder::Encoder encoder_;
  std::size_t max_tokens_;
};

}  // namespace cg::pinned
