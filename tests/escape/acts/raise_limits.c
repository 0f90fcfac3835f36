#include <sys/resource.h>

#include "act.h"
int main(void) {
  struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return kept_by("setrlimit", errno);
  return judge("setrlimit", setrlimit(RLIMIT_CORE, &limit));
}
