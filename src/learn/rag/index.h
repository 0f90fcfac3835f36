// Index: what can be looked up without opening every record, and their vectors.
//
// A SQLite file that can always be made again: all but the vectors follows from the log, and those
// an embedder makes again. So it is never believed: rows are compared with the ledger, and a vector
// counts only if the log has its digest. One that is damaged, of another version or of another
// manifest is as good as none.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/os/dir.h"
#include "learn/rag/ledger.h"

namespace cg::rag {

inline constexpr const char* kIndexFile = "index.sqlite";
inline constexpr int kIndexVersion = 1;
inline constexpr std::size_t kMaxVectorBytes = 1U << 20U;  // of one record and model

/// By record, of one model: the bytes of its vectors as they stand there.
using VectorBytes = std::map<std::string, std::string, std::less<>>;

struct IndexState {
  std::string problem;  // empty: it is as the manifest says; else "missing", "stale", …
  VectorBytes vectors;
};
/// Never fails: what cannot be read is told of.
[[nodiscard]] IndexState read_index(const os::Dir& rag, const Ledger& ledger,
                                    const std::string& model);

/// Brings it to what the ledger says, made anew if it cannot be used. `fresh` are written besides,
/// for `model`.
[[nodiscard]] Result<Done, Problem> update_index(const os::Dir& rag, const Ledger& ledger,
                                                 const std::string& model,
                                                 const VectorBytes& fresh);
/// Makes it anew. Of its vectors those come along that the log has the digest of.
[[nodiscard]] Result<Done, Problem> remake_index(const os::Dir& rag, const Ledger& ledger);

}  // namespace cg::rag
