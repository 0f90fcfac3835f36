// What the acts that ask the kernel about networks share: one request, and its answer.
#ifndef CG_ACT_NETLINK_H
#define CG_ACT_NETLINK_H
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>

#include "net.h"

struct request {
  struct nlmsghdr header;
  union {
    struct ifaddrmsg address;
    struct ifinfomsg link;
    struct rtmsg route;
  } what;
  char attributes[256];
};

static inline struct request new_request(unsigned short type, size_t size) {
  struct request out = {.header = {.nlmsg_type = type, .nlmsg_seq = 1}};
  out.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE;
  out.header.nlmsg_len = (unsigned)NLMSG_LENGTH(size);
  return out;
}

static inline void attach(struct request* to, unsigned short type, const void* bytes, size_t size) {
  struct rtattr* end = (struct rtattr*)((char*)to + NLMSG_ALIGN(to->header.nlmsg_len));
  end->rta_type = type;
  end->rta_len = (unsigned short)RTA_LENGTH(size);
  memcpy(RTA_DATA(end), bytes, size);
  to->header.nlmsg_len = NLMSG_ALIGN(to->header.nlmsg_len) + (unsigned)RTA_ALIGN(end->rta_len);
}

static inline int judge_request(const char* what, const struct request* request) {
  const int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
  if (fd < 0) return kept_by(what, errno);
  struct {
    struct nlmsghdr header;
    struct nlmsgerr error;
    char rest[1024];
  } answer;
  if (send(fd, request, request->header.nlmsg_len, 0) < 0) return kept_by(what, errno);
  const ssize_t got = recv(fd, &answer, sizeof answer, 0);
  if (got < (ssize_t)NLMSG_LENGTH(sizeof answer.error)) return ACT_BROKEN;
  if (answer.header.nlmsg_type != NLMSG_ERROR) return ACT_BROKEN;
  return answer.error.error == 0 ? did(what) : kept_by(what, -answer.error.error);
}

#endif
