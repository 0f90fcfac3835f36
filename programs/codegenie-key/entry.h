// Entry: the key as its owner gives it, from a terminal or another descriptor.
#pragma once

#include <functional>
#include <optional>

#include "model/leaf/key_order.h"
#include "secret.h"

namespace cg::key {

inline constexpr int kParentFd = 0;
inline constexpr int kEntryFd = 1;

/// One line into `to`. `asked` is called once a terminal no longer shows what is typed; of
/// anything else all is read, and that must be one line. None if it could be a key.
[[nodiscard]] std::optional<leaf::KeyRefused> read_key(Secret& to,
                                                       const std::function<void()>& asked);

/// Puts the terminal back as it was, if it was changed. For signal handlers too.
void restore_terminal();

}  // namespace cg::key
