// Interrupt: the wish of whoever started this process that it ends, heard where it suits.
#pragma once

#include <signal.h>

namespace cg::os {

/// While it lives, the first SIGINT or SIGTERM is remembered and nothing else is done about it; a
/// second one of the same kind ends the process at once, as ever. One at a time.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

 private:
  struct sigaction old_int_ {};
  struct sigaction old_term_ {};
};

/// The signal that was remembered since the last Interrupts began; 0: none.
[[nodiscard]] int interrupted();

}  // namespace cg::os
