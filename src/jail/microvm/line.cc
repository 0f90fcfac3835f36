#include "jail/microvm/line.h"

#include <algorithm>

namespace cg::microvm {

void Line::add(std::string_view bytes) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return abandoned_ || held_.size() < kRoom; });
  if (abandoned_) return;
  held_ += bytes;
  changed_.notify_all();
}

void Line::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

void Line::abandon() {
  const std::lock_guard lock(mutex_);
  abandoned_ = true;
  held_.clear();
  changed_.notify_all();
}

Result<std::string, LineError> Line::take(std::size_t size, Deadline deadline) {
  std::string out;
  std::unique_lock lock(mutex_);
  while (out.size() < size) {
    if (!changed_.wait_until(lock, deadline, [&] { return closed_ || !held_.empty(); })) {
      return fail(LineError::late);
    }
    if (held_.empty()) return fail(LineError::closed);
    const std::size_t part = std::min(size - out.size(), held_.size());
    out.append(held_, 0, part);
    held_.erase(0, part);
    changed_.notify_all();
  }
  return out;
}

}  // namespace cg::microvm
