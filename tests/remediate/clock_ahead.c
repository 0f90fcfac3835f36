// Preloaded: the wall clock runs CG_CLOCK_DAYS days ahead.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

int clock_gettime(clockid_t id, struct timespec* out) {
  int (*real)(clockid_t, struct timespec*) = NULL;
  *(void**)&real = dlsym(RTLD_NEXT, "clock_gettime");
  const int code = real(id, out);
  const char* days = getenv("CG_CLOCK_DAYS");
  if (code == 0 && id == CLOCK_REALTIME && days != NULL) out->tv_sec += 86400 * atol(days);
  return code;
}
