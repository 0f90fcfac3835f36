#include <sys/personality.h>

#include "act.h"
int main(void) { return judge("personality", personality(ADDR_NO_RANDOMIZE)); }
