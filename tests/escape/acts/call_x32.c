#include "act.h"
int main(void) { return judge("x32 getpid", syscall(0x40000000L | SYS_getpid)); }
