// Connects by sending: no connect() to be refused.
#include "net.h"
int main(void) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0) return kept_by("socket", errno);
  const struct sockaddr_in to = loopback("CG_TCP");
  const long sent =
      sendto(fd, "x", 1, MSG_FASTOPEN | MSG_NOSIGNAL, (const struct sockaddr*)&to, sizeof to);
  return judge("sendto", sent);
}
