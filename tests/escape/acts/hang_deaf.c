// Takes no notice of anything that can be ignored, and forks to be missed by a kill.
#include "act.h"
int main(void) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  for (int i = 1; i < 65; ++i) signal(i, SIG_IGN);
  if (fork() == 0) setsid();
  alarm(0);
  for (;;) pause();
}
