#include <linux/mount.h>

#include "act.h"
int main(void) {
  return judge("open_tree", syscall(SYS_open_tree, AT_FDCWD, "/", OPEN_TREE_CLONE | AT_RECURSIVE));
}
