#include <sys/io.h>

#include "act.h"
int main(void) { return judge("ioperm", ioperm(0x80, 1, 1)); }
