// SourceKind: where text comes from that somebody else wrote and a model may read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace cg {

enum class SourceKind : std::uint8_t {
  cve_description,
  repo_readme,
  transitive_dep_meta,
  source_snippet,
  sandbox_stderr,
  rag_retrieved,
  prior_attempt_summary,
  package_api,   // what two versions of a package export, as read from them
  package_docs,  // what its authors say: changelog, migration guide, README
  prior_diff,    // what the last answer changed, as we worked it out
};
inline constexpr std::array kSourceKinds = {
    SourceKind::cve_description,       SourceKind::repo_readme,
    SourceKind::transitive_dep_meta,   SourceKind::source_snippet,
    SourceKind::sandbox_stderr,        SourceKind::rag_retrieved,
    SourceKind::prior_attempt_summary, SourceKind::package_api,
    SourceKind::package_docs,          SourceKind::prior_diff};

/// "cve_description"
[[nodiscard]] std::string_view name(SourceKind kind);
[[nodiscard]] std::optional<SourceKind> parse_source_kind(std::string_view text);

/// Of one segment, in bytes.
[[nodiscard]] std::size_t cap_of(SourceKind kind);
/// How many segments of a kind one prompt holds.
[[nodiscard]] std::size_t most_of(SourceKind kind);

}  // namespace cg
