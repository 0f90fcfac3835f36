#include "netlink.h"
int main(void) {
  struct request up = new_request(RTM_NEWLINK, sizeof up.what.link);
  up.what.link.ifi_index = (int)if_nametoindex("lo");
  up.what.link.ifi_flags = up.what.link.ifi_change = IFF_UP;
  const int lifted = judge_request("RTM_NEWLINK", &up);  // a new network's is down
  if (lifted != ACT_DID) return lifted;
  struct request request = new_request(RTM_NEWROUTE, sizeof request.what.route);
  request.what.route.rtm_family = AF_INET;
  request.what.route.rtm_table = RT_TABLE_MAIN;
  request.what.route.rtm_protocol = RTPROT_STATIC;
  request.what.route.rtm_scope = RT_SCOPE_LINK;
  request.what.route.rtm_type = RTN_UNICAST;
  const int lo = (int)if_nametoindex("lo");
  attach(&request, RTA_OIF, &lo, sizeof lo);
  return judge_request("RTM_NEWROUTE", &request);
}
