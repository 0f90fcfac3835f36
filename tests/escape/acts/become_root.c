// Being nobody but in name: a number that may own what the host owns.
#include "act.h"
int main(void) {
  if (getuid() != 0) return judge("setuid", setuid(0));
  const int fd = open("/proc/self/uid_map", O_RDONLY);
  char map[64] = "";
  if (fd >= 0) (void)!read(fd, map, sizeof map - 1);
  unsigned inside = 1;
  unsigned outside = 1;
  sscanf(map, "%u %u", &inside, &outside);
  if (inside == 0 && outside != 0) return kept("root", "only by name");
  return chown(".", 1, 1) == 0 && chown(".", 0, 0) == 0 ? did("root") : kept_by("root", errno);
}
