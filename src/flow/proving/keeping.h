// Keeping: what steps printed and test runs reported, for the evidence.
#pragma once

#include <cstdint>

#include "prove/evidence/bundle.h"
#include "prove/gate/trial.h"

namespace cg::proving {

/// Each stream and report once, under the digest of what the step printed, packed:
///
///   logs/<sha256>.zst              all of it
///   logs/<sha256>.part.zst         its start and its end
///   reports/<side>-<sha256>.json.zst   tests by name, under the digest of their standard output
class Keeping {
 public:
  static constexpr std::size_t kMaxBytes = 16U << 20U;  // packed, of a whole workflow

  /// `side` is "base" or "fix".
  void take(const gate::Trial& trial, std::string_view side);

  [[nodiscard]] const evidence::Files& files() const { return files_; }
  /// What did not fit.
  [[nodiscard]] std::uint64_t left_out() const { return left_out_; }

 private:
  void keep(const std::string& path, std::string_view bytes);

  evidence::Files files_;
  std::size_t bytes_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace cg::proving
