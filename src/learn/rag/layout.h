// Where the parts of the store lie beneath the workspace. See doc/format/rag.md.
#pragma once

#include <cstddef>

namespace cg::rag {

inline constexpr const char* kRag = "rag";
inline constexpr const char* kRecords = "records";
inline constexpr const char* kQuarantine = "quarantine";
inline constexpr const char* kOrigins = "origins";
inline constexpr const char* kManifestFile = "manifest.yaml";
inline constexpr std::size_t kMaxRecords = 200'000;

}  // namespace cg::rag
