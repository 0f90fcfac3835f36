#include <sys/ptrace.h>

#include "act.h"
int main(void) { return judge("ptrace", ptrace(PTRACE_SEIZE, keeper(), NULL, NULL)); }
