// Keeping: of a stream that may be endless, its start, its end, its length and its digest.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "jail/sandbox/running_sha256.h"
#include "jail/sandbox/step.h"

namespace cg::inside {

class Keeping {
 public:
  /// At most `max` bytes are kept: half from the start, half from the end.
  explicit Keeping(std::uint64_t max) : half_(max / 2) {}

  void add(std::string_view bytes);
  [[nodiscard]] sandbox::Output take() &&;

 private:
  [[nodiscard]] std::string end() const;

  std::uint64_t half_;
  std::string head_;
  std::string ring_;  // of at most half_ bytes; the oldest is at at_ once it is full
  std::size_t at_ = 0;
  std::uint64_t bytes_ = 0;
  sandbox::RunningSha256 digest_;
};

}  // namespace cg::inside
