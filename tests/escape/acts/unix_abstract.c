#include "net.h"
int main(void) {
  const char* name = given("CG_ABSTRACT");
  struct sockaddr_un to = {.sun_family = AF_UNIX};
  memcpy(to.sun_path + 1, name, strlen(name));
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0) return kept_by("socket", errno);
  const socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
  return judge("connect", connect(fd, (const struct sockaddr*)&to, size));
}
