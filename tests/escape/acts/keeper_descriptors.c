// The test holds the host's file open; whoever started us may have it too.
#include "act.h"
static int holds_secret(const char* path) {
  char text[16] = "";
  const int fd = open(path, O_RDONLY | O_NONBLOCK);
  if (fd < 0) return 0;
  const ssize_t got = pread(fd, text, sizeof text - 1, 0);
  close(fd);
  return got > 0 && strstr(text, "secret") != NULL;
}
int main(void) {
  char path[64];
  int code = 0;
  for (int fd = 3; fd < 1024; ++fd) {
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)keeper(), fd);
    if (holds_secret(path)) return did(path);
    if (errno == EACCES || errno == EPERM) code = errno;
  }
  return code ? kept_by("/proc/PARENT/fd", code) : kept("/proc/PARENT/fd", "none");
}
