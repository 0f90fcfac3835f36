// Cache: vectors that were made before, beneath the workspace.
//
//   cache/embeddings/<4 digits>     one vector, with all that it is of
//
// A place is the beginning of a digest of text and embedder, and holds one vector, so what is there
// is bounded and needs no bookkeeping: a later vector of the same place takes it over. An entry
// names its embedder's and text's digests in full, by two different hashes, and ends with a digest
// of itself: another text's entry, however it came there, and a damaged one are told apart from
// what was asked for, counted, and not used.
//
// The digest has no key. Who can write the workspace can make an entry that holds, with any vector:
// what is logged is never taken from here.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/os/dir.h"
#include "learn/embedding/embedder.h"

namespace cg::pinned {

inline constexpr const char* kCache = "cache/embeddings";

/// An embedder that remembers. That something could not be kept harms nobody.
class Cache final : public embedding::Embedder {
 public:
  /// Both outlive it; `home` is the workspace's folder.
  Cache(embedding::Embedder& inner, const os::Dir& home) : inner_(inner), home_(home) {}

  [[nodiscard]] std::string_view id() const override { return inner_.id(); }
  [[nodiscard]] std::size_t dims() const override { return inner_.dims(); }
  [[nodiscard]] Result<std::vector<embedding::Vector>, Problem> embed(
      std::span<const std::string_view> texts) override;

  struct Counts {
    std::size_t found = 0;
    std::size_t made = 0;
    std::size_t rejected = 0;  // of those made: an entry was there that is damaged, or another's
  };
  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  [[nodiscard]] std::optional<embedding::Vector> find(std::string_view text);

  embedding::Embedder& inner_;
  const os::Dir& home_;
  Counts counts_;
};

}  // namespace cg::pinned
