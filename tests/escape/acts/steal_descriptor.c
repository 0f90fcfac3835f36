#include "act.h"
int main(void) {
  const long process = syscall(SYS_pidfd_open, keeper(), 0);
  return judge("pidfd_getfd", syscall(SYS_pidfd_getfd, process, 0, 0));
}
