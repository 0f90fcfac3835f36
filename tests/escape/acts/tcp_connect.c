#include "net.h"
int main(void) { return judge_stream("connect", 0); }
