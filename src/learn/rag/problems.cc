#include "learn/rag/problems.h"

#include "base/base/text.h"

namespace cg::rag {

Problem not_taken(std::string why) {
  return {ErrorCode::rag_not_taken,
          std::move(why),
          {},
          "no example was written",
          {"codegenie explain CG-RAG-002"}};
}

Problem no_such_record(const std::string& id) {
  return {ErrorCode::rag_unknown,
          "the store has no record " + printable(cut(id, 64)),
          {},
          "nothing was changed",
          {"codegenie rag list"}};
}

Problem bad_bundle(std::string why) {
  return {ErrorCode::rag_bundle,
          std::move(why),
          {},
          "the store is as it was",
          {"codegenie explain CG-RAG-004"}};
}

Problem no_release(std::string why) {
  return {ErrorCode::rag_release,
          std::move(why),
          {},
          "the record stays in quarantine",
          {"codegenie explain CG-RAG-005"}};
}

}  // namespace cg::rag
