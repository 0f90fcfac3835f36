#include <sys/swap.h>

#include "act.h"
int main(void) { return judge("swapon", swapon("no-such-file", 0)); }
