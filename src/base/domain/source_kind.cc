#include "base/domain/source_kind.h"

#include <iterator>

namespace cg {

namespace {

struct Row {
  std::string_view name;
  std::size_t cap;
  std::size_t most;
};
/// In the order of the kinds.
constexpr Row kRows[] = {
    {"cve_description", 4096, 1},       {"repo_readme", 2048, 1},
    {"transitive_dep_meta", 1024, 16},  {"source_snippet", 16384, 64},
    {"sandbox_stderr", 8192, 1},        {"rag_retrieved", 8192, 3},
    {"prior_attempt_summary", 4096, 1}, {"package_api", 20480, 1},
    {"package_docs", 12288, 1},         {"prior_diff", 8192, 1},
};
static_assert(std::size(kRows) == kSourceKinds.size());

const Row& row(SourceKind kind) { return kRows[static_cast<std::size_t>(kind)]; }

}  // namespace

std::string_view name(SourceKind kind) { return row(kind).name; }

std::optional<SourceKind> parse_source_kind(std::string_view text) {
  for (const SourceKind kind : kSourceKinds) {
    if (name(kind) == text) return kind;
  }
  return std::nullopt;
}

std::size_t cap_of(SourceKind kind) { return row(kind).cap; }

std::size_t most_of(SourceKind kind) { return row(kind).most; }

}  // namespace cg
