#include <linux/kcmp.h>

#include "act.h"
int main(void) { return judge("kcmp", syscall(SYS_kcmp, getpid(), keeper(), KCMP_VM, 0, 0)); }
