#include <sys/mount.h>

#include "act.h"
int main(void) {
  (void)!mount(".", ".", NULL, MS_BIND, NULL);  // refused as well, but that is another act
  char here[PATH_MAX];
  if (!getcwd(here, sizeof here) || chdir(here) != 0) return ACT_BROKEN;
  return judge("pivot_root", syscall(SYS_pivot_root, ".", "."));
}
