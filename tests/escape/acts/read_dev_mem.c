#include "act.h"
int main(void) { return judge("/dev/mem", open("/dev/mem", O_RDONLY)); }
