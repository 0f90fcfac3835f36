#include <linux/capability.h>

#include "act.h"
int main(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct data[2] = {{0}};
  data[0].effective = data[0].permitted = 1U << CAP_SYS_ADMIN;
  return judge("capset", syscall(SYS_capset, &header, data));
}
