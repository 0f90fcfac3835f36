#include "act.h"
int main(void) { return judge("finit_module", syscall(SYS_finit_module, 0, "", 0)); }
