#include "act.h"
int main(void) {
  signal(SIGXFSZ, SIG_IGN);
  const int fd = open("hole", O_WRONLY | O_CREAT, 0600);
  return judge("ftruncate", ftruncate(fd, 16 << 20));
}
