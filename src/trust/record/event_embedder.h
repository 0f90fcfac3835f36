// Events of what makes vectors of texts; a part of event.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trust/hash/digest.h"
#include "trust/record/event_data.h"

namespace cg::record {

struct EmbedderInitialized {
  static constexpr std::string_view kKind = "embedder_initialized";
  static constexpr std::string_view kSays =
      "A model for vectors of texts was put into the workspace, and its files are pinned";
  static constexpr Home kHome = Home::spanning;
  std::uint64_t dims = 0;
  std::string embedder;    // the id that its vectors go by
  std::string model;       // what its operator calls it
  std::string pinned;      // as_read, or by a lock: the operator's, or that of the workspace
  hash::Digest weights{};  // SHA-256 of model.safetensors
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("dims", self.dims, 0);
    f("embedder", self.embedder, 128);
    f("model", self.model, 128);
    f("pinned", self.pinned, 32);
    f("weights", self.weights, 64);
  }
  friend bool operator==(const EmbedderInitialized&, const EmbedderInitialized&) = default;
};

struct EmbedderHashMismatch {
  static constexpr std::string_view kKind = "embedder_hash_mismatch";
  static constexpr std::string_view kSays =
      "A file of a model is not the one that its lock names; the model was not used";
  static constexpr Home kHome = Home::spanning;
  static constexpr Severity kSeverity = Severity::block;
  hash::Digest expected{};
  std::string file;
  std::string found;  // 64 hexadecimal digits; or why there are none
  std::string model;  // as the lock calls it
  template <class Self, class F>
  static void fields(Self& self, F&& f) {
    f("expected", self.expected, 64);
    f("file", self.file, 128);
    f("found", self.found, 64);
    f("model", self.model, 128);
  }
  friend bool operator==(const EmbedderHashMismatch&, const EmbedderHashMismatch&) = default;
};

}  // namespace cg::record
