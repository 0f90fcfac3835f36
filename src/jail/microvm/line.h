// Line: bytes from one thread to another, with a time after which waiting ends.
//
// What a guest says comes from whoever watches the emulator, and is taken by whoever waits
// for an answer. A guest that says more than is taken is made to wait, not remembered.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

#include "base/base/result.h"

namespace cg::microvm {

using Deadline = std::chrono::steady_clock::time_point;

enum class LineError {
  late,    // the deadline passed
  closed,  // no more will come
};

class Line {
 public:
  /// Returns once there is room; at once after abandon().
  void add(std::string_view bytes);
  /// The writer has ended.
  void close();
  /// The reader takes no more: what is added from now on is dropped.
  void abandon();

  /// Exactly `size` bytes.
  [[nodiscard]] Result<std::string, LineError> take(std::size_t size, Deadline deadline);

 private:
  static constexpr std::size_t kRoom = 1U << 20U;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string held_;
  bool closed_ = false;
  bool abandoned_ = false;
};

}  // namespace cg::microvm
