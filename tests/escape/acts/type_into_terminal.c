#include <sys/ioctl.h>

#include "act.h"
int main(void) {
  int fd = open("/dev/ptmx", O_RDWR | O_NOCTTY);
  if (fd >= 0 && unlockpt(fd) == 0 && setsid() >= 0) {
    fd = open(ptsname(fd), O_RDWR);  // now it is our terminal
  }
  return judge("TIOCSTI", ioctl(fd >= 0 ? fd : 0, TIOCSTI, "x"));
}
