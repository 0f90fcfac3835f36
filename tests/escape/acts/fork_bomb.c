// Bounded even if nothing else bounds it.
#include "act.h"
int main(void) {
  for (int i = 0; i < 3000; ++i) {
    const pid_t child = fork();
    if (child < 0) return kept_by("fork", errno);
    if (child == 0) {
      alarm(60);
      for (;;) pause();
    }
  }
  return did("3000 processes");
}
