#include <time.h>

#include "act.h"
int main(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return judge("clock_settime", clock_settime(CLOCK_REALTIME, &now));
}
