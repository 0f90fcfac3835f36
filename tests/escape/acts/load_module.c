#include "act.h"
int main(void) { return judge("init_module", syscall(SYS_init_module, "", 0, "")); }
