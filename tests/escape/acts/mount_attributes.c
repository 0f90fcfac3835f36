#include <linux/mount.h>

#include "act.h"
int main(void) {
  struct mount_attr change = {.attr_clr = MOUNT_ATTR_RDONLY};
  return judge("mount_setattr",
               syscall(SYS_mount_setattr, AT_FDCWD, "/", 0, &change, sizeof change));
}
