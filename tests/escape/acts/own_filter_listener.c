// Whoever answers system calls for others can lie to them, or let them through.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#include "act.h"
int main(void) {
  struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog program = {.len = 1, .filter = &allow};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return judge("seccomp", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                                  SECCOMP_FILTER_FLAG_NEW_LISTENER, &program));
}
