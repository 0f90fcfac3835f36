#include "act.h"
int main(void) { return judge("kexec_load", syscall(SYS_kexec_load, 0, 0, NULL, 0)); }
