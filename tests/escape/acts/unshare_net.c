#include <sched.h>

#include "act.h"
int main(void) { return judge("unshare", unshare(CLONE_NEWNET)); }
