#include "act.h"
int main(void) {
  static const char* const files[] = {
      "/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/unified/cgroup.procs",
      "/sys/fs/cgroup/memory/cgroup.procs", "/sys/fs/cgroup/memory/release_agent"};
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    if (open(files[i], O_WRONLY) >= 0) return did(files[i]);
  }
  return kept_by("cgroup", errno);
}
