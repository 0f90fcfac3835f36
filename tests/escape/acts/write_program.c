#include "act.h"
int main(void) { return judge_writable("/usr/bin/env"); }
