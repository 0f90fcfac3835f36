// Whatever the first process knows was not meant for us.
#include "act.h"
int main(void) {
  char byte;
  const int fd = open("/proc/1/environ", O_RDONLY);
  if (fd < 0) return kept_by("environ", errno);
  const ssize_t got = read(fd, &byte, 1);
  if (got < 0) return kept_by("environ", errno);
  return got > 0 ? did("/proc/1/environ") : kept("/proc/1/environ", "none");
}
