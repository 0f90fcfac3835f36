// Retry: which failures are worth another try, and when. Each try is a new process.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "model/leaf/leaf.h"

namespace cg::leaf {

inline constexpr unsigned kMaxRetries = 3;
/// A server that wants more patience than this is not waited for.
inline constexpr std::chrono::seconds kMaxPatience{60};

/// How long to wait before retry number `retry` (the first is 1) after `failure`; nothing if
/// there is none. Only "too many requests" and the server's own errors: 1, 4 and 16 seconds
/// and up to a quarter more, by `random`; or as long as the server asked for, if that is more.
[[nodiscard]] std::optional<std::chrono::milliseconds> delay_before(unsigned retry,
                                                                    const Failure& failure,
                                                                    std::uint32_t random);

class Pause {
 public:
  virtual ~Pause() = default;
  virtual void wait(std::chrono::milliseconds time) = 0;
};
class SystemPause final : public Pause {
 public:
  void wait(std::chrono::milliseconds time) override;
};

}  // namespace cg::leaf
