#include "act.h"
int main(void) {
  static char text[1 << 20];
  const int fd = open(keeper_file("environ"), O_RDONLY);
  if (fd < 0) return kept_by("environ", errno);
  const ssize_t got = read(fd, text, sizeof text);
  if (got < 0) return kept_by("environ", errno);
  if (memmem(text, (size_t)got, "CG_LEAK=", 8)) return did("saw a variable of the host");
  return kept("/proc/PARENT/environ", "none");
}
