// Manifest: which records the store has, in the order in which they were written.
//
// Its head rolls over them: an id, the digest of the file, and whether it is in quarantine. All of
// it follows from the log, so that one that was put back from an older copy is found: it takes
// fewer entries of the log into account than there are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "trust/hash/digest.h"

namespace cg::rag {

struct Manifest {
  struct Row {
    std::string id;
    hash::Digest digest{};  // BLAKE3 of the file of the record
    bool quarantined = false;
    friend bool operator==(const Row&, const Row&) = default;
  };
  std::string log;
  std::uint64_t entries = 0;  // of the log, up to the last that says something of the store
  std::vector<Row> rows;
  friend bool operator==(const Manifest&, const Manifest&) = default;
};

/// Where the parts of the store lie beneath the workspace (doc/format/rag.md).
inline constexpr const char* kRag = "rag";
inline constexpr const char* kRecords = "records";
inline constexpr const char* kQuarantine = "quarantine";
inline constexpr const char* kOrigins = "origins";
inline constexpr const char* kManifestFile = "manifest.yaml";
inline constexpr std::size_t kMaxRecords = 200'000;

inline constexpr std::size_t kMaxManifest = 64U << 20U;

[[nodiscard]] hash::Digest head_of(const Manifest& manifest);

/// A YAML document; one spelling.
[[nodiscard]] std::string write_manifest(const Manifest& manifest);
/// Takes exactly what write_manifest() writes, with the head that follows from the rows; else what
/// is wrong.
[[nodiscard]] Result<Manifest, std::string> parse_manifest(std::string_view yaml);

}  // namespace cg::rag
