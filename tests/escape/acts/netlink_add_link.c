// A device that is not there yet, of the first kind that the kernel has.
#include "netlink.h"
static int add(const char* kind) {
  struct request request = new_request(RTM_NEWLINK, sizeof request.what.link);
  attach(&request, IFLA_IFNAME, "cg0", 4);
  struct {
    struct rtattr head;
    char kind[12];
  } info = {{(unsigned short)RTA_LENGTH(strlen(kind)), IFLA_INFO_KIND}, ""};
  strncpy(info.kind, kind, sizeof info.kind - 1);
  attach(&request, IFLA_LINKINFO, &info, info.head.rta_len);
  return judge_request(kind, &request);
}
int main(void) {
  static const char* const kinds[] = {"dummy", "veth", "bridge", "ifb"};
  int ended = ACT_KEPT;
  for (unsigned i = 0; i < 4 && ended == ACT_KEPT; ++i) ended = add(kinds[i]);
  return ended;
}
