// The one that it has already: another would be a module that the kernel loads.
#include <sys/ioctl.h>

#include "act.h"
int main(void) {
  const int fd = open("/dev/ptmx", O_RDWR | O_NOCTTY);
  if (fd < 0) return kept_by("/dev/ptmx", errno);
  const int usual = 0;
  return judge("TIOCSETD", ioctl(fd, TIOCSETD, &usual));
}
