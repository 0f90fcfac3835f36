#include "flow/precedent/aspects.h"

#include <array>
#include <span>
#include <utility>

#include "base/os/ports.h"
#include "learn/lexical/lexical.h"

namespace cg::precedent {

namespace {

/// A model reads a few hundred words at most, so each aspect is read by itself. What the advisory
/// says counts less than what changed and how it is used. Nobody measured these, so what is found
/// by them is called near at most (retrieve::weights_of()). Others are another id.
struct Field {
  std::string example::Aspects::*text;
  float weight;
};
constexpr std::array<Field, 3> kFields = {{{&example::Aspects::summary, 2.0F},
                                           {&example::Aspects::difference, 3.0F},
                                           {&example::Aspects::usage, 3.0F}}};

}  // namespace

Result<std::vector<float>, Problem> vector_by(embedding::Embedder& model,
                                              const example::Aspects& aspects) {
  std::vector<float> out(model.dims());
  for (const Field& field : kFields) {
    const std::string_view text = aspects.*field.text;
    if (text.empty()) continue;
    CG_TRY_ASSIGN(const std::vector<embedding::Vector> vectors, model.embed(std::span(&text, 1)));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += field.weight * vectors.front()[i];
  }
  embedding::normalise(out);
  return out;
}

Result<Embedding, Problem> Embedding::open(const workspace::Access& access) {
  const os::Dir& home = access.workspace.home;
  Embedding out;
  auto model = pinned::open(home);
  if (!model) {
    os::SystemClock clock;
    CG_TRY_ASSIGN(audit::Log log, workspace::open_log(access, clock));
    CG_TRY(log.append(model.error().events));
    return fail(std::move(model.error().problem));
  }
  if (!*model) {
    out.id_ = lexical::kId;
    return out;
  }
  out.model_ = std::make_unique<pinned::Model>(*std::move(*model));
  out.cache_ = std::make_unique<pinned::Cache>(*out.model_, home);
  out.id_ = std::string(out.model_->id()) + "+aspects-1";
  return out;
}

std::size_t Embedding::dims() const { return cache_ == nullptr ? lexical::kDims : cache_->dims(); }

Result<std::vector<float>, Problem> Embedding::embed(const example::Aspects& aspects) {
  if (model_ == nullptr) return lexical::embed(aspects);
  return vector_by(*model_, aspects);
}

Result<std::vector<float>, Problem> Embedding::recall(const example::Aspects& aspects) {
  if (cache_ == nullptr) return lexical::embed(aspects);
  return vector_by(*cache_, aspects);
}

}  // namespace cg::precedent
