#include "base/os/ports.h"

#include <sys/random.h>
#include <time.h>

#include <algorithm>
#include <cerrno>

#include "base/base/assert.h"

namespace cg::os {

Time SystemClock::now() {
  timespec t{};
  CG_ASSERT(clock_gettime(CLOCK_REALTIME, &t) == 0);
  return Time{t.tv_sec * 1000 + t.tv_nsec / 1'000'000};
}

void SystemRandom::fill(std::span<Byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = getrandom(bytes.data(), std::min<std::size_t>(bytes.size(), 256), 0);
    if (n < 0 && errno == EINTR) continue;
    CG_ASSERT(n > 0);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
}

}  // namespace cg::os
