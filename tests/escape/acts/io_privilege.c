#include <sys/io.h>

#include "act.h"
int main(void) { return judge("iopl", iopl(3)); }
