#include "act.h"
int main(void) { return judge("userfaultfd", syscall(SYS_userfaultfd, O_CLOEXEC)); }
