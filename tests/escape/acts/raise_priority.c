#include <sys/resource.h>

#include "act.h"
int main(void) { return judge("setpriority", setpriority(PRIO_PROCESS, 0, -20)); }
