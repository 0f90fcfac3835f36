#include "netlink.h"
int main(void) {
  struct request request = new_request(RTM_NEWLINK, sizeof request.what.link);
  request.what.link.ifi_index = (int)if_nametoindex("lo");
  request.what.link.ifi_change = IFF_UP;
  return judge_request("RTM_NEWLINK", &request);
}
