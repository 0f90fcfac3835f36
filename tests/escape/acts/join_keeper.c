#include <sched.h>

#include "act.h"
int main(void) {
  const long fd = syscall(SYS_pidfd_open, keeper(), 0);
  return judge("setns", setns((int)fd, CLONE_NEWNET | CLONE_NEWUTS));
}
