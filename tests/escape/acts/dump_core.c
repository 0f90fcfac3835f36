// A core that goes to a program of the host is limited by nothing but a limit of one byte: zero is
// not asked for there.
#include <sys/resource.h>

#include "act.h"
int main(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_CORE, &limit) != 0) return ACT_BROKEN;
  return limit.rlim_max == 1 ? kept("getrlimit", "none") : did("getrlimit");
}
