#include <sched.h>

#include "act.h"
int main(void) {
  const int fd = open("/proc/1/ns/net", O_RDONLY);
  return judge("setns", setns(fd, CLONE_NEWNET));
}
