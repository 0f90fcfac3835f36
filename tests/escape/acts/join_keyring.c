#include <linux/keyctl.h>

#include "act.h"
int main(void) { return judge("keyctl", syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL)); }
