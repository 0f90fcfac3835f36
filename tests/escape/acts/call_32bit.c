// getpid by the old gate, whose numbers a filter for this architecture does not know.
#include "act.h"
static void no_gate(int signal) {
  (void)signal;
  _exit(kept("int 0x80", "ENOSYS"));
}
int main(void) {
  signal(SIGSEGV, no_gate);
  long result = 20;
  __asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
  errno = (int)-result;
  return judge("int 0x80", result > 0 ? 0 : -1);
}
