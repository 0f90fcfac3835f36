// Every protocol but the one that lists interfaces, which has acts of its own.
#include "netlink.h"
int main(void) {
  int code = EAFNOSUPPORT;
  for (int type = SOCK_STREAM; type <= SOCK_SEQPACKET; ++type) {
    for (int protocol = 0; protocol < 32; ++protocol) {
      if (type == SOCK_RAW && protocol == NETLINK_ROUTE) continue;
      if (socket(AF_NETLINK, type, protocol) >= 0) return did("socket");
      if (errno == EPERM || errno == EACCES) code = errno;
    }
  }
  return kept_by("socket", code);
}
