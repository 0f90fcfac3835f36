#include "act.h"
int main(void) { return judge_writable("/proc/sys/kernel/core_pattern"); }
