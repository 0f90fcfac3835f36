#include "learn/pinned/share.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace cg::pinned {

void share_out(std::size_t count, std::size_t most, const std::function<void(const Next&)>& work) {
  std::atomic<std::size_t> taken = 0;
  std::mutex mutex;
  std::exception_ptr first;
  const Next next = [&]() -> std::optional<std::size_t> {
    const std::size_t mine = taken++;
    return mine < count ? std::optional(mine) : std::nullopt;
  };
  const auto guarded = [&] {
    try {
      work(next);
    } catch (...) {
      taken = count;
      const std::lock_guard lock(mutex);
      if (!first) first = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> helpers;
    try {
      helpers.reserve(most);
      while (helpers.size() + 1 < most && helpers.size() + 1 < count) helpers.emplace_back(guarded);
    } catch (const std::system_error&) {
      // The user has as many threads as may be: those that are there do all of it.
    } catch (const std::bad_alloc&) {
      // Likewise.
    }
    guarded();
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace cg::pinned
