// Every family there is but those that have an act of their own or their uses.
#include "net.h"
int main(void) {
  int code = EAFNOSUPPORT;
  for (int family = 0; family < 64; ++family) {
    if (family == AF_UNIX || family == AF_INET || family == AF_INET6 || family == AF_NETLINK ||
        family == AF_PACKET || family == AF_VSOCK || family == AF_ALG) {
      continue;
    }
    for (int type = SOCK_STREAM; type <= SOCK_SEQPACKET; ++type) {
      if (socket(family, type, 0) >= 0) return did("socket");
      if (errno == EPERM || errno == EACCES) code = errno;
    }
  }
  return kept_by("socket", code);
}
