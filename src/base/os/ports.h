// The clock and the random source, as ports: production uses the system's, tests
// hand in their own.
#pragma once

#include <array>
#include <span>

#include "base/base/bytes.h"
#include "base/base/time.h"

namespace cg::os {

class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual Time now() = 0;
};

class Random {
 public:
  virtual ~Random() = default;
  virtual void fill(std::span<Byte> bytes) = 0;

  template <std::size_t N>
  [[nodiscard]] std::array<Byte, N> bytes() {
    std::array<Byte, N> out{};
    fill(out);
    return out;
  }
};

class SystemClock final : public Clock {
 public:
  Time now() override;
};

/// getrandom(2): blocks at early boot until the kernel is seeded, never weak.
class SystemRandom final : public Random {
 public:
  void fill(std::span<Byte> bytes) override;
};

}  // namespace cg::os
