#include <sys/resource.h>

#include "act.h"
int main(void) {
  struct rlimit limit = {.rlim_cur = 4096, .rlim_max = 4096};
  return judge("prlimit", prlimit(keeper(), RLIMIT_MSGQUEUE, &limit, NULL));
}
