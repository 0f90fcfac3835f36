// The old way: a root beneath the working folder, then up past it.
#include "act.h"
int main(void) {
  if (mkdir("inner", 0700) != 0) return ACT_BROKEN;
  if (chroot("inner") != 0) return kept_by("chroot", errno);
  for (int i = 0; i < 32; ++i) (void)!chdir("..");
  (void)!chroot(".");
  return judge_read(given("CG_FILE"));
}
