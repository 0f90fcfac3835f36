// Opens a door and says so; the test knocks from the host while we stand behind it.
#include <poll.h>

#include "net.h"
int main(void) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0) return kept_by("socket", errno);
  const int yes = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const struct sockaddr_in at = loopback("CG_FREE_PORT");
  if (bind(fd, (const struct sockaddr*)&at, sizeof at) != 0) return kept_by("bind", errno);
  if (listen(fd, 1) != 0) return kept_by("listen", errno);
  printf("listening\n");
  fflush(stdout);
  struct pollfd door = {.fd = fd, .events = POLLIN};
  return poll(&door, 1, 1000) == 1 ? did("somebody came in") : kept("accept", "nobody");
}
