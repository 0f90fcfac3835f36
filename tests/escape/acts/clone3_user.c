// The flags lie in memory, where a filter cannot see them.
#include <linux/sched.h>
#include <sys/wait.h>

#include "act.h"
int main(void) {
  struct clone_args args = {.flags = CLONE_NEWUSER, .exit_signal = SIGCHLD};
  const long child = syscall(SYS_clone3, &args, sizeof args);
  if (child == 0) _exit(0);
  if (child > 0) waitpid((pid_t)child, NULL, 0);
  return judge("clone3", child);
}
