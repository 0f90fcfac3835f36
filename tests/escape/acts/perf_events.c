#include <linux/perf_event.h>

#include "act.h"
int main(void) {
  struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE, .size = sizeof attr};
  attr.config = PERF_COUNT_SW_CPU_CLOCK;
  return judge("perf_event_open", syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0));
}
