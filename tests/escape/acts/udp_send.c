#include "net.h"
int main(void) {
  const int fd = socket(AF_INET, SOCK_DGRAM, 0);
  if (fd < 0) return kept_by("socket", errno);
  const struct sockaddr_in to = loopback("CG_UDP");
  if (connect(fd, (const struct sockaddr*)&to, sizeof to) != 0) return kept_by("connect", errno);
  if (send(fd, "x", 1, 0) != 1) return kept_by("send", errno);
  // What nobody received comes back as a refusal, on the next call.
  return judge("send", send(fd, "x", 1, 0));
}
