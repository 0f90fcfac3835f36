#include "base/os/interrupt.h"

namespace cg::os {

namespace {

volatile sig_atomic_t remembered = 0;

void remember(int number) { remembered = number; }

}  // namespace

Interrupts::Interrupts() {
  remembered = 0;
  struct sigaction action {};
  action.sa_handler = remember;
  sigemptyset(&action.sa_mask);
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  sigaction(SIGINT, &action, &old_int_);
  sigaction(SIGTERM, &action, &old_term_);
}

Interrupts::~Interrupts() {
  sigaction(SIGINT, &old_int_, nullptr);
  sigaction(SIGTERM, &old_term_, nullptr);
}

int interrupted() { return remembered; }

}  // namespace cg::os
