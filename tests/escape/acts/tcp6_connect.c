#include "net.h"
int main(void) {
  const int fd = socket(AF_INET6, SOCK_STREAM, 0);
  if (fd < 0) return kept_by("socket", errno);
  const struct sockaddr_in four = loopback("CG_TCP");
  struct sockaddr_in6 to = {.sin6_family = AF_INET6, .sin6_port = four.sin_port};
  inet_pton(AF_INET6, "::ffff:127.0.0.1", &to.sin6_addr);
  if (connect(fd, (const struct sockaddr*)&to, sizeof to) != 0) return kept_by("connect", errno);
  return judge("write", write(fd, "x", 1));
}
