#include "netlink.h"
int main(void) {
  struct request request = new_request(RTM_NEWADDR, sizeof request.what.address);
  request.what.address.ifa_family = AF_INET;
  request.what.address.ifa_prefixlen = 32;
  request.what.address.ifa_index = if_nametoindex("lo");
  const uint32_t address = htonl(0xc0000201);  // 192.0.2.1
  attach(&request, IFA_LOCAL, &address, sizeof address);
  return judge_request("RTM_NEWADDR", &request);
}
