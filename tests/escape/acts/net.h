// What the acts that use sockets share. The targets are the test's own, on loopback.
#ifndef CG_ACT_NET_H
#define CG_ACT_NET_H
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "act.h"

static inline struct sockaddr_in loopback(const char* port_name) {
  struct sockaddr_in to = {.sin_family = AF_INET};
  to.sin_port = htons((uint16_t)given_number(port_name));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return to;
}

/// Connects and says something, so that a listener that was reached knows it.
static inline int judge_stream(const char* what, int protocol) {
  const int fd = socket(AF_INET, SOCK_STREAM, protocol);
  if (fd < 0) return kept_by(what, errno);
  const struct sockaddr_in to = loopback("CG_TCP");
  if (connect(fd, (const struct sockaddr*)&to, sizeof to) != 0) return kept_by(what, errno);
  return judge(what, write(fd, "x", 1));
}

static inline int judge_socket(const char* what, int family, int type, int protocol) {
  return judge(what, socket(family, type, protocol));
}

#endif
