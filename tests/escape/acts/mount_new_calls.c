#include <linux/mount.h>

#include "act.h"
int main(void) {
  const long system = syscall(SYS_fsopen, "tmpfs", 0);
  if (system < 0) return kept_by("fsopen", errno);
  if (syscall(SYS_fsconfig, system, FSCONFIG_CMD_CREATE, NULL, NULL, 0) != 0) {
    return kept_by("fsconfig", errno);
  }
  const long mounted = syscall(SYS_fsmount, system, 0, 0);
  if (mounted < 0) return kept_by("fsmount", errno);
  return judge("move_mount",
               syscall(SYS_move_mount, mounted, "", AT_FDCWD, "/tmp", MOVE_MOUNT_F_EMPTY_PATH));
}
