#include "act.h"
int main(void) { return judge("kill", kill(keeper(), SIGSTOP)); }
