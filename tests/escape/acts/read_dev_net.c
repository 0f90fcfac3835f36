#include <ifaddrs.h>
#include <net/if.h>

#include "act.h"
int main(void) {
  struct ifaddrs* all = NULL;
  if (getifaddrs(&all) != 0) return kept_by("getifaddrs", errno);
  for (; all; all = all->ifa_next) {
    if (!(all->ifa_flags & IFF_LOOPBACK)) return did(all->ifa_name);
  }
  return kept("getifaddrs", "none");
}
