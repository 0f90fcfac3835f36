#include <sys/ptrace.h>

#include "act.h"
int main(void) { return judge("ptrace", ptrace(PTRACE_TRACEME, 0, NULL, NULL)); }
