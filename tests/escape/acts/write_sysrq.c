#include "act.h"
int main(void) { return judge_writable("/proc/sysrq-trigger"); }
