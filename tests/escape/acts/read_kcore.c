#include "act.h"
int main(void) { return judge_read("/proc/kcore"); }
