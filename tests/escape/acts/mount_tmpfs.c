#include <sys/mount.h>

#include "act.h"
int main(void) { return judge("mount", mount("none", "/tmp", "tmpfs", 0, NULL)); }
