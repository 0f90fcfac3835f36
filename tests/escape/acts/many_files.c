#include "act.h"
int main(void) {
  for (int i = 0; i < 2000000; ++i) {
    char path[32];
    snprintf(path, sizeof path, "f%d", i);
    const int fd = open(path, O_WRONLY | O_CREAT, 0600);
    if (fd < 0) return kept_by("open", errno);
    close(fd);
  }
  return did("2000000 files");
}
