// Aspects as vectors: by the model of the workspace, or by words alone where there is none.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "flow/workspace/access.h"
#include "learn/example/example.h"
#include "learn/pinned/cache.h"
#include "learn/pinned/home.h"

namespace cg::precedent {

/// By a model: each aspect by itself, weighted. Of length one, or zeros if nothing in them counts.
[[nodiscard]] Result<std::vector<float>, Problem> vector_by(embedding::Embedder& model,
                                                            const example::Aspects& aspects);

/// What the store is asked with and kept by. One id, one kind of vector.
class Embedding {
 public:
  /// `access` must outlive it. A model that is pinned and is not what its lock says is not passed
  /// over: the log hears of it, and nothing is looked for with another one in secret.
  [[nodiscard]] static Result<Embedding, Problem> open(const workspace::Access& access);

  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] std::size_t dims() const;
  /// Of length one, or zeros if nothing in them counts. Made here and now, as what is logged has to
  /// be.
  [[nodiscard]] Result<std::vector<float>, Problem> embed(const example::Aspects& aspects);
  /// The same, or what the workspace remembers of it, which whoever can write there can forge
  /// (learn/pinned/cache.h): for what is asked, and kept nowhere.
  [[nodiscard]] Result<std::vector<float>, Problem> recall(const example::Aspects& aspects);

 private:
  Embedding() = default;
  std::string id_;
  std::unique_ptr<pinned::Model> model_;  // null: by words alone
  std::unique_ptr<pinned::Cache> cache_;
};

}  // namespace cg::precedent
