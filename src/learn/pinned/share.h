// Share: work that several threads take from one heap.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

namespace cg::pinned {

/// The next number that nobody has; nothing: there are no more.
using Next = std::function<std::optional<std::size_t>()>;

/// Runs `work` in up to `most` threads, of which this is one, until it has taken all numbers below
/// `count`. Fewer threads if there are none to be had. If one throws, the others get no further
/// numbers, and what it threw is thrown here once all have ended.
void share_out(std::size_t count, std::size_t most, const std::function<void(const Next&)>& work);

}  // namespace cg::pinned
