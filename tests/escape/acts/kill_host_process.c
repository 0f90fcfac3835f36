#include "act.h"
int main(void) { return judge("kill", kill(given_number("CG_VICTIM"), SIGTERM)); }
