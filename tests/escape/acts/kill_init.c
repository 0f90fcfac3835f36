#include "act.h"
int main(void) { return judge("kill(1)", kill(1, SIGKILL)); }
