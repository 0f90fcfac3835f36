#include "act.h"
int main(void) { return judge("kill(0)", kill(0, SIGKILL)); }
