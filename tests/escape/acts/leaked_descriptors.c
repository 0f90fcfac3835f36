#include "act.h"
int main(void) {
  for (int fd = 3; fd < 65536; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) return did("found a descriptor that nobody gave us");
  }
  return kept("descriptors above 2", "none");
}
