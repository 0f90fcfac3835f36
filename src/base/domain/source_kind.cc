#include "base/domain/source_kind.h"

namespace cg {

std::string_view name(SourceKind kind) {
  switch (kind) {
    case SourceKind::cve_description:
      return "cve_description";
    case SourceKind::repo_readme:
      return "repo_readme";
    case SourceKind::transitive_dep_meta:
      return "transitive_dep_meta";
    case SourceKind::source_snippet:
      return "source_snippet";
    case SourceKind::sandbox_stderr:
      return "sandbox_stderr";
    case SourceKind::rag_retrieved:
      return "rag_retrieved";
    case SourceKind::prior_attempt_summary:
      break;
  }
  return "prior_attempt_summary";
}

std::optional<SourceKind> parse_source_kind(std::string_view text) {
  for (const SourceKind kind : kSourceKinds) {
    if (name(kind) == text) return kind;
  }
  return std::nullopt;
}

std::size_t cap_of(SourceKind kind) {
  switch (kind) {
    case SourceKind::cve_description:
    case SourceKind::prior_attempt_summary:
      return 4096;
    case SourceKind::repo_readme:
      return 2048;
    case SourceKind::transitive_dep_meta:
      return 1024;
    case SourceKind::source_snippet:
      return 16384;
    case SourceKind::sandbox_stderr:
    case SourceKind::rag_retrieved:
      break;
  }
  return 8192;
}

std::size_t most_of(SourceKind kind) {
  switch (kind) {
    case SourceKind::cve_description:
    case SourceKind::repo_readme:
    case SourceKind::sandbox_stderr:
    case SourceKind::prior_attempt_summary:
      return 1;
    case SourceKind::transitive_dep_meta:
      return 16;
    case SourceKind::source_snippet:
      return 64;
    case SourceKind::rag_retrieved:
      break;
  }
  return 3;
}

}  // namespace cg
