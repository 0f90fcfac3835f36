#include "act.h"
int main(void) { return judge_writable("/sys/kernel/mm/transparent_hugepage/enabled"); }
