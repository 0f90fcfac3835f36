#include <sched.h>

#include "act.h"
int main(void) {
  const struct sched_param param = {.sched_priority = 1};
  return judge("sched_setscheduler", sched_setscheduler(0, SCHED_FIFO, &param));
}
