// The mildest thing that needs the right to reboot: what CTRL-ALT-DEL means.
#include <sys/reboot.h>

#include "act.h"
int main(void) { return judge("reboot", reboot(RB_DISABLE_CAD)); }
