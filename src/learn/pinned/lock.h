// Lock: which model a workspace uses, by the SHA-256 of each of its files.
//
//   schema: codegenie/embeddings-model-lock/v1
//   model: "all-MiniLM-L6-v2"
//   dims: 384
//   precision: fp32
//   self_test: 6123            a cosine that the model gave, in ten-thousandths
//   files:
//     - name: config.json
//       sha256: "…"
//
// An integrity check, no signature: who can write both the model and its lock passes it. A lock
// from elsewhere (--lock) says more than one that was made of what was read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "learn/encoder/encoder.h"
#include "trust/hash/digest.h"

namespace cg::pinned {

inline constexpr const char* kLock = "rag/embeddings_model.lock";
inline constexpr std::size_t kMaxLock = 64U << 10U;

/// All files that a model may have here, in order.
inline constexpr std::string_view kFileNames[] = {
    "config.json",    "model.safetensors",     "sentence_bert_config.json",
    "tokenizer.json", "tokenizer_config.json", "vocab.txt"};

struct LockedFile {
  std::string name;  // of kFileNames
  hash::Digest sha256{};
  friend bool operator==(const LockedFile&, const LockedFile&) = default;
};

struct Lock {
  std::string model;  // printable, at most 100 bytes
  std::size_t dims = 0;
  encoder::Precision precision = encoder::Precision::fp32;
  std::optional<std::int64_t> self_test;
  std::vector<LockedFile> files;  // in the order of kFileNames
  friend bool operator==(const Lock&, const Lock&) = default;

  /// What its vectors go by: other files or another precision, another id. The name is none of it.
  [[nodiscard]] std::string id() const;
};

[[nodiscard]] std::string_view name(encoder::Precision precision);
[[nodiscard]] std::optional<encoder::Precision> parse_precision(std::string_view text);

[[nodiscard]] bool is_model_name(std::string_view text);

/// The error says what is wrong, with the line.
[[nodiscard]] Result<Lock, std::string> parse_lock(std::string_view text);
[[nodiscard]] std::string write_lock(const Lock& lock);

/// The model as a component of a bill of materials: CycloneDX 1.5, JSON.
[[nodiscard]] std::string write_sbom(const Lock& lock, std::uint64_t parameters);

}  // namespace cg::pinned
