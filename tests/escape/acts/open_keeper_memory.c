#include "act.h"
int main(void) { return judge("/proc/PARENT/mem", open(keeper_file("mem"), O_RDWR)); }
