#include <sched.h>
#include <sys/wait.h>

#include "act.h"
int main(void) {
  const long child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL);
  if (child == 0) _exit(0);
  if (child > 0) waitpid((pid_t)child, NULL, 0);
  return judge("clone", child);
}
