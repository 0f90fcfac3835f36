// As daemonise, but it keeps the step's output open: nobody may wait for that.
#include <sys/wait.h>

#include "act.h"
int main(void) {
  int ready[2];
  if (pipe(ready) != 0) return ACT_BROKEN;
  const pid_t first = fork();
  if (first == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    signal(SIGHUP, SIG_IGN);
    alarm(120);
    (void)!write(ready[1], "x", 1);
    for (;;) pause();
  }
  waitpid(first, NULL, 0);
  char byte;
  return read(ready[0], &byte, 1) == 1 ? did("left a daemon behind") : ACT_BROKEN;
}
